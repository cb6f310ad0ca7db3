// Power, energy and device cost of a step.
#pragma once

#include <optional>

#include "cairn/chip/cost.hpp"
#include "cairn/explain/step_energy.hpp"
#include "cairn/explain/system.hpp"

namespace cairn::explain {

struct StepPower {
  // Thermal design power; 0: the device's is not stated.
  Watts design{0.0};
  std::optional<StepEnergy> work_energy{};  // absent: the device states no energies
  std::optional<chip::Cost> cost{};
};

// For the devices that take part in the step. `traffic`: link traffic. Shared components (host,
// fans, switches, memory-nodes) count in proportion to the participating devices.
StepPower power_of(const lower::LoweredStep& step,
                   const System& system,
                   Seconds step_time,
                   Bytes traffic);

}  // namespace cairn::explain
