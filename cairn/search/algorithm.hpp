// A search algorithm: it asks for points to be evaluated, and is told their outcomes (ask/tell). It
// does not know the evaluator: the points of one batch may be evaluated in any order and in
// parallel, and the same seed asks for the same points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cairn/search/outcome.hpp"
#include "cairn/search/space.hpp"

namespace cairn::search {

class Algorithm {
 public:
  Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
  virtual ~Algorithm() = default;

  // The next batch of points; empty: the search has ended.
  virtual std::vector<Point> ask() = 0;

  // The outcomes of the last batch, in its order.
  virtual void tell(std::span<const Outcome> outcomes) = 0;

  // Number of points never asked for because a lower bound rules them out.
  [[nodiscard]] virtual std::size_t pruned() const { return 0; }
};

}  // namespace cairn::search
