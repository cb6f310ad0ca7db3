// What a search found, for programs.
#pragma once

#include <chrono>
#include <string>

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// `detail` adds `axes`, `metrics` and `trials`: all that was tried, as it was asked for.
std::string exploration_json(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took,
                             bool detail = false);

}  // namespace cairn::explore
