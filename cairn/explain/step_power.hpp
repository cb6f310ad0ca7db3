// What a step draws and spends, and what its devices cost.
#pragma once

#include <optional>

#include "cairn/chip/cost.hpp"
#include "cairn/explain/step_energy.hpp"
#include "cairn/explain/system.hpp"

namespace cairn::explain {

struct StepPower {
  // Thermal design power; 0: the device's is not stated.
  Watts design{0.0};
  std::optional<StepEnergy> spent{};  // nothing: the device does not say what its work takes
  std::optional<chip::Cost> cost{};
};

// Of the devices that take part in a step that takes so long and sends so much over links. Of what
// devices share (host, fans, switches, memory-nodes), they have their share: as many parts of it as
// they are of all devices.
StepPower power_of(const lower::LoweredStep& step,
                   const System& system,
                   Seconds step_time,
                   Bytes carried);

}  // namespace cairn::explain
