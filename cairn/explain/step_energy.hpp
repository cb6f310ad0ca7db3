// The energy of a training step, by what it did.
#pragma once

#include <cstddef>

#include "cairn/chip/energy.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

struct StepEnergy {
  chip::Energy devices{};  // that take part, also while they have nothing to do
  Joules rest{};           // their share of memory-nodes and the system around, at design power

  [[nodiscard]] Joules total() const { return devices.total() + rest; }
};

// Of all links, each byte as often as it crosses one.
Bytes carried_by_links(const lower::LoweredStep& step, const sim::Timeline& timeline);

// What the kernels and the transfers of all devices did, each as often as it ran. Its time, and
// what is sent over links, is not in the schedule. `levels`: on-chip levels of the device.
chip::Done work_done(const lower::LoweredStep& step, std::size_t levels);

}  // namespace cairn::explain
