// Worker pool of threads of this process.
#pragma once

#include <memory>
#include <vector>

#include "cairn/explore/worker_pool.hpp"

namespace cairn::explore {

class ThreadPool final : public WorkerPool {
 public:
  // `threads` 0: one per core.
  ThreadPool(Evaluator& evaluator, std::size_t threads);
  ~ThreadPool() override;

  void evaluate(std::span<const search::Point> points, const Done& done, const Stop& stop) override;

  [[nodiscard]] std::size_t threads() const { return threads_; }

  // Lower bound on the objective of each point (Evaluator::bound). When stopped, the remaining
  // points have no bound.
  std::vector<double> bounds(std::span<const search::Point> points, const Stop& stop);

  // Evaluates the points returned by `next` until it returns nullptr.
  using Next = std::function<const search::Point*(std::size_t& index)>;
  void evaluate(const Next& next, const Done& done, const Stop& stop);

 private:
  struct Arena;

  Evaluator& evaluator_;
  std::size_t threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace cairn::explore
