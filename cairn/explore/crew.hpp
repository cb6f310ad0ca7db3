// Who evaluates what a search asks for: threads of this process, or also other processes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "cairn/explore/evaluator.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

class Crew {
 public:
  // What came of which of the points.
  using Done = std::function<void(std::size_t, Finding)>;
  using Stop = std::function<bool()>;

  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  virtual ~Crew() = default;

  // Evaluates points in any order, and hands over what comes of each as it comes, one at a time,
  // from any thread. When `stop` says so, or after `done` has thrown, which is thrown again here,
  // no more are begun, and those in evaluation are cancelled.
  virtual void evaluate(std::span<const search::Point> points,
                        const Done& done,
                        const Stop& stop) = 0;
};

}  // namespace cairn::explore
