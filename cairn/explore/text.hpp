// What a search found, for people.
#pragma once

#include <chrono>
#include <string>

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

std::string exploration_text(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took);

}  // namespace cairn::explore
