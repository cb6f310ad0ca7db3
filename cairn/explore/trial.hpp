// A design that was tried, and what came of it.
#pragma once

#include "cairn/explore/evaluator.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

struct DesignTrial {
  search::Point point{};
  Finding finding{};

  // Not yet, if it neither has figures nor a reason why there are none.
  [[nodiscard]] bool finished() const {
    return !finding.figures.empty() || finding.reason.lack != Lack::kNothing;
  }
};

}  // namespace cairn::explore
