// A design that was tried, and its finding.
#pragma once

#include "cairn/explore/evaluator.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

struct DesignTrial {
  search::Point point{};
  Finding finding{};

  // False while it has neither figures nor a reason for infeasibility.
  [[nodiscard]] bool finished() const {
    return !finding.figures.empty() || finding.reason.lack != Lack::kNothing;
  }
};

}  // namespace cairn::explore
