// A way to search: it asks for points to be evaluated, and is told what came of them. It knows
// nothing of what is evaluated, nor by how many: all it asks for at once may be evaluated in any
// order, and the same seed asks for the same points.
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

  // None: the search has ended.
  virtual std::vector<Point> ask() = 0;

  // Of the points that were asked for last, in that order.
  virtual void tell(std::span<const Outcome> outcomes) = 0;

  // Points that were never asked for, as they cannot be the best.
  [[nodiscard]] virtual std::size_t pruned() const { return 0; }
};

}  // namespace cairn::search
