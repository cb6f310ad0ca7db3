// Pictures of what a search found.
#pragma once

#include <vector>

#include "cairn/explore/explore.hpp"
#include "cairn/report/chart.hpp"

namespace cairn::explore {

// For each objective the best so far, by trial; of several objectives the first two against each
// other, with the front; and what the best designs are like: a line for each, by what varies, from
// the least of its range to the most. Something must have been found.
std::vector<report::Chart> exploration_charts(const Request& request, const Exploration& found);

}  // namespace cairn::explore
