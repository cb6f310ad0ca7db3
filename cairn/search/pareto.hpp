// Trials that no other beats in everything.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cairn/search/outcome.hpp"

namespace cairn::search {

// Indices of the trials that none dominates, by their first objective; of equal outcomes the
// first. With one objective, the best. Empty if none keeps the constraints.
std::vector<std::size_t> pareto_front(std::span<const Trial> trials);

}  // namespace cairn::search
