// What every report of a search begins with.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// Trials that a report is about: the front; of one objective, the ten best in their order.
std::vector<std::size_t> shown(const Request& request, const Exploration& found);

// Designs that are infeasible for the same reason. Those that miss a limit by some amount (memory,
// area) are one, and the detail is that of the nearest; else the detail is the same of all.
struct InfeasibleReason {
  Infeasible reason{};
  std::size_t designs = 0;
};

// The most frequent first, then in the order of the trials.
std::vector<InfeasibleReason> infeasible_reasons(const Exploration& found);

// "strategy: 8 heads < 16 shards"; of a design that cannot be read, "invalid: ...".
std::string to_text(const Infeasible& reason);

// "34 not tried" of a search that was stopped, "at most 34 not tried" where the algorithm may end
// earlier; empty: it was not stopped.
std::string not_tried_text(const Request& request, const Exploration& found);

// How many that are; 0: it was not stopped.
std::size_t not_tried(const Request& request, const Exploration& found);

// Of those that were not known before; nothing where nobody took the time.
std::optional<double> per_second(const Exploration& found, std::chrono::duration<double> took);

}  // namespace cairn::explore
