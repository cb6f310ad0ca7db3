// The energy of a training step, by kind of work.
#pragma once

#include <cstddef>

#include "cairn/chip/energy.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

struct StepEnergy {
  chip::Energy devices{};  // participating devices, also while idle
  Joules rest{};           // their share of memory-nodes and the system, at design power

  [[nodiscard]] Joules total() const { return devices.total() + rest; }
};

// Traffic of all links; a byte counts once for each link on its route.
Bytes traffic_of_links(const lower::LoweredStep& step, const sim::Timeline& timeline);

// Work and memory traffic of the kernels and transfers of all devices, each as often as it ran,
// without time and link traffic. `levels`: number of on-chip levels of the device.
chip::DeviceActivity work_done(const lower::LoweredStep& step, std::size_t levels);

}  // namespace cairn::explain
