// How much a search will try.
#pragma once

#include <cstddef>
#include <optional>

#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

// No more designs than this; nothing where that depends on what is found.
std::optional<std::size_t> most_trials(const Request& request);

}  // namespace cairn::explore
