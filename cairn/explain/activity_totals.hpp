// How often, and for how long, each kind of action runs in a training step.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/explain/step_record.hpp"
#include "cairn/lower/step.hpp"

namespace cairn::explain {

// Averages over all devices.
struct ActivityTotal {
  memory::ActionKind kind{};
  double runs = 0.0;
  Seconds time{0.0};  // with at least one of the kind in progress

  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(std::llround(runs));
  }
};

// One for each kind, in the order of ActionKind. `spans`: of all actions.
std::vector<ActivityTotal> activity_totals(const lower::LoweredStep& step,
                                           std::span<const ActionSpan> spans);

}  // namespace cairn::explain
