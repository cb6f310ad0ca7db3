// Evaluates the designs of a search: threads of this process, optionally also other processes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "cairn/explore/evaluator.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

class WorkerPool {
 public:
  // Index of a point, and its finding.
  using Done = std::function<void(std::size_t, Finding)>;
  using Stop = std::function<bool()>;

  WorkerPool() = default;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  virtual ~WorkerPool() = default;

  // Evaluates points in any order and calls `done` for each as it finishes, one at a time, from any
  // thread. When `stop` returns true, or after `done` has thrown (rethrown here), no more are
  // started, and those in evaluation are cancelled.
  virtual void evaluate(std::span<const search::Point> points,
                        const Done& done,
                        const Stop& stop) = 0;
};

}  // namespace cairn::explore
