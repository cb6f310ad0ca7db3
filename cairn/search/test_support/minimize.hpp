// Runs a search on a function in closed form.
#pragma once

#include <functional>
#include <vector>

#include "cairn/search/algorithm.hpp"

namespace cairn::search {

// All trials, in the order in which they were asked for.
inline std::vector<Trial> minimize(Algorithm& algorithm,
                                   const std::function<Outcome(const Point&)>& evaluate) {
  std::vector<Trial> trials;
  for (auto points = algorithm.ask(); !points.empty(); points = algorithm.ask()) {
    std::vector<Outcome> outcomes;
    for (const Point& point : points) {
      outcomes.push_back(evaluate(point));
      trials.push_back({point, outcomes.back()});
    }
    algorithm.tell(outcomes);
  }
  return trials;
}

}  // namespace cairn::search
