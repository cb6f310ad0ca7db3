// Projection onto a budget: parts of at least 0 whose sum is at most 1.
#pragma once

#include <span>

namespace cairn::search {

// Euclidean projection onto {w >= 0, sum w <= 1}: negative parts become 0; if the sum then
// exceeds 1, the same amount is subtracted from every positive part (Duchi et al., ICML 2008,
// figure 1).
void project_onto_budget(std::span<double> parts);

}  // namespace cairn::search
