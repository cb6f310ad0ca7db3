// Explains a search without a feasible design.
#pragma once

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// The nearest miss and its place in the file: a limit of the search, or the most common reason for
// infeasibility. Throws ConfigError if no design is valid.
Infeasible explain_empty_result(const Request& request, const Exploration& found);

}  // namespace cairn::explore
