// The nearest point of a budget: parts that are at least 0, and at most 1 in all.
#pragma once

#include <span>

namespace cairn::search {

// Euclidean projection onto {w >= 0, sum w <= 1}: negative parts become 0; if the rest is more than
// 1 in all, the same is taken from every part that stays (Duchi et al., ICML 2008, figure 1).
void project_onto_budget(std::span<double> parts);

}  // namespace cairn::search
