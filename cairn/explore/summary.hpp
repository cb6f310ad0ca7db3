// Summary of a search, common to all its reports.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// Trials shown in a report: the Pareto front; for one objective, the ten best in order.
std::vector<std::size_t> shown(const Request& request, const Exploration& found);

// Designs that are infeasible for the same reason. Designs that violate a limit by some amount
// (memory, area) are grouped, with the detail of the nearest; otherwise the detail is identical.
struct InfeasibleReason {
  Infeasible reason{};
  std::size_t designs = 0;
};

// The most frequent first, then in the order of the trials.
std::vector<InfeasibleReason> infeasible_reasons(const Exploration& found);

// "strategy: 8 heads < 16 shards"; for an invalid design, "invalid: ...".
std::string to_text(const Infeasible& reason);

// "34 not tried" for a stopped search, "at most 34 not tried" where the algorithm may end earlier;
// empty: not stopped.
std::string not_tried_text(const Request& request, const Exploration& found);

// Number of designs not tried; 0: not stopped.
std::size_t not_tried(const Request& request, const Exploration& found);

// Evaluations per second, without stored trials; nullopt where the time is unknown.
std::optional<double> per_second(const Exploration& found, std::chrono::duration<double> took);

}  // namespace cairn::explore
