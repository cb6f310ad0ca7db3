// Charts of a search result.
#pragma once

#include <vector>

#include "cairn/explore/explore.hpp"
#include "cairn/report/chart.hpp"

namespace cairn::explore {

// Convergence of each objective; for several objectives the first two against each other, with the
// Pareto front; and a parallel-coordinates plot of the best designs, each axis from the minimum to
// the maximum of its range. Precondition: `found` has a feasible design.
std::vector<report::Chart> exploration_charts(const Request& request, const Exploration& found);

}  // namespace cairn::explore
