// What came of a point, and which of two outcomes is better. Objectives are all to be small.
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
  // By how much constraints are missed, as parts of what they allow; infinite where nobody can say.
  double missed_by = 0.0;

  // Of a point that could not be evaluated: what it lacks, if that can be said.
  static Outcome impossible(std::size_t objectives,
                            double missed_by = std::numeric_limits<double>::infinity()) {
    return {.objectives = std::vector<double>(objectives, std::numeric_limits<double>::infinity()),
            .missed_by = std::max(missed_by, std::numeric_limits<double>::min())};
  }

  [[nodiscard]] bool keeps_constraints() const { return missed_by <= 0.0; }
};

struct Trial {
  Point point{};
  Outcome outcome{};
};

// Keeping constraints is better than not, a near miss better than a far one; else it is at least
// as good in every objective, and better in one.
inline bool dominates(const Outcome& one, const Outcome& other) {
  if (!one.keeps_constraints() || !other.keeps_constraints()) {
    return one.missed_by < other.missed_by;
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
