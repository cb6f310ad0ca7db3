// The outcome of a point, and which of two outcomes is better. All objectives are minimized.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "cairn/search/space.hpp"

namespace cairn::search {

struct Outcome {
  std::vector<double> objectives{};
  // Relative constraint violation; 0: feasible, infinite: unknown.
  double constraint_violation = 0.0;

  // The outcome of an infeasible point, with its constraint violation if known.
  static Outcome infeasible(std::size_t objectives,
                            double constraint_violation = std::numeric_limits<double>::infinity()) {
    return {
        .objectives = std::vector<double>(objectives, std::numeric_limits<double>::infinity()),
        .constraint_violation = std::max(constraint_violation, std::numeric_limits<double>::min())};
  }

  [[nodiscard]] bool is_feasible() const { return constraint_violation <= 0.0; }
};

struct Trial {
  Point point{};
  Outcome outcome{};
};

// A feasible outcome dominates an infeasible one, and a small violation a large one. Among feasible
// ones: nowhere worse, and better in some objective.
inline bool dominates(const Outcome& one, const Outcome& other) {
  if (!one.is_feasible() || !other.is_feasible()) {
    return one.constraint_violation < other.constraint_violation;
  }
  bool better = false;
  for (std::size_t i = 0; i < one.objectives.size(); ++i) {
    if (one.objectives[i] > other.objectives[i]) {
      return false;
    }
    better = better || one.objectives[i] < other.objectives[i];
  }
  return better;
}

}  // namespace cairn::search
