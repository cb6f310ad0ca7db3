// How often, and for how long, each kind of action runs in a training step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/explain/step_record.hpp"
#include "cairn/lower/step.hpp"

namespace cairn::explain {

// Averages over all devices.
struct ActivityTotal {
  memory::ActionKind kind{};
  std::uint64_t count = 0;
  Seconds time{0.0};  // with at least one of the kind in progress
};

// One for each kind, in the order of ActionKind. `spans`: of all actions.
std::vector<ActivityTotal> activity_totals(const lower::LoweredStep& step,
                                           std::span<const ActionSpan> spans);

}  // namespace cairn::explain
