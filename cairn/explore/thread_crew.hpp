// Threads of this process.
#pragma once

#include <memory>
#include <vector>

#include "cairn/explore/crew.hpp"

namespace cairn::explore {

class ThreadCrew final : public Crew {
 public:
  // `threads` 0: as many as there are cores.
  ThreadCrew(Evaluator& evaluator, std::size_t threads);
  ~ThreadCrew() override;

  void evaluate(std::span<const search::Point> points, const Done& done, const Stop& stop) override;

  [[nodiscard]] std::size_t threads() const { return threads_; }

  // At least what the one objective of each point would be (Evaluator::bound); stops as evaluating
  // does, and then the rest have no bound.
  std::vector<double> bounds(std::span<const search::Point> points, const Stop& stop);

  // Evaluates points that `next` gives, until it gives none.
  using Next = std::function<const search::Point*(std::size_t& index)>;
  void evaluate(const Next& next, const Done& done, const Stop& stop);

 private:
  struct Arena;

  Evaluator& evaluator_;
  std::size_t threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace cairn::explore
