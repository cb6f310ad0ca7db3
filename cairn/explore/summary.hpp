// What every report of a search begins with.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// Trials that a report is about: the front; of one objective, the ten best in their order.
std::vector<std::size_t> shown(const Request& request, const Exploration& found);

// How many designs cannot be, by what they lack.
std::map<std::string, std::size_t> impossible_by_limit(const Exploration& found);

// Of those that were not known before; nothing where nobody took the time.
std::optional<double> per_second(const Exploration& found, std::chrono::duration<double> took);

}  // namespace cairn::explore
