// How much a search will try.
#pragma once

#include <cstddef>

#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

// No more designs than this; fewer where some are asked for twice, pruned, or a descent converges.
std::size_t most_trials(const Request& request);

}  // namespace cairn::explore
