// What a search found, for people and for programs.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// Trials that a report is about: the front; of one objective, the ten best in their order.
std::vector<std::size_t> shown(const Request& request, const Exploration& found);

std::string exploration_text(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took);

// `detail` adds `axes`, `metrics` and `trials`: all that was tried, as it was asked for.
std::string exploration_json(const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took,
                             bool detail = false);

// Why nothing keeps all limits: what is missed by the least, or what most designs lack.
// Throws ConfigError if no design could even be read.
Infeasible why_nothing(const Request& request, const Exploration& found);

}  // namespace cairn::explore
