#include "cairn/search/pareto.hpp"

#include <algorithm>

namespace cairn::search {

std::vector<std::size_t> pareto_front(std::span<const Trial> trials) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].outcome.is_feasible()) {
      order.push_back(i);
    }
  }
  // A dominating trial precedes the dominated one.
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return trials[a].outcome.objectives < trials[b].outcome.objectives;
  });
  std::vector<std::size_t> front;
  for (const std::size_t candidate : order) {
    const Outcome& outcome = trials[candidate].outcome;
    const bool dominated = std::ranges::any_of(front, [&](std::size_t other) {
      const Outcome& known = trials[other].outcome;
      return known.objectives == outcome.objectives || dominates(known, outcome);
    });
    if (!dominated) {
      front.push_back(candidate);
    }
  }
  return front;
}

}  // namespace cairn::search
