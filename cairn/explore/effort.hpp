// Upper bound on the number of designs that a search tries.
#pragma once

#include <cstddef>

#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

// Fewer are evaluated where designs repeat, are pruned, or a descent converges.
std::size_t max_trials(const Request& request);

}  // namespace cairn::explore
