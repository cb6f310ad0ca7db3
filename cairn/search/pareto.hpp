// The Pareto front of a set of trials.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cairn/search/outcome.hpp"

namespace cairn::search {

// Indices of the non-dominated trials, sorted by their first objective; the first of equal
// outcomes. With one objective, the best. Empty if none is feasible.
std::vector<std::size_t> pareto_front(std::span<const Trial> trials);

}  // namespace cairn::search
