#include "cairn/search/pareto.hpp"

#include <algorithm>

namespace cairn::search {

std::vector<std::size_t> pareto_front(std::span<const Trial> trials) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].outcome.keeps_constraints()) {
      order.push_back(i);
    }
  }
  // What dominates another comes before it.
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return trials[a].outcome.objectives < trials[b].outcome.objectives;
  });
  std::vector<std::size_t> front;
  for (const std::size_t candidate : order) {
    const Outcome& outcome = trials[candidate].outcome;
    const bool beaten = std::ranges::any_of(front, [&](std::size_t other) {
      const Outcome& known = trials[other].outcome;
      return known.objectives == outcome.objectives || dominates(known, outcome);
    });
    if (!beaten) {
      front.push_back(candidate);
    }
  }
  return front;
}

}  // namespace cairn::search
