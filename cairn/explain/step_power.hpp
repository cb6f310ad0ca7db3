// What a step draws and spends, and what its devices cost.
#pragma once

#include <span>

#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

// Fills in power, energy and cost of the devices that take part in a step that is explained
// otherwise. Of what devices share (host, fans, switches, memory-nodes), they have their share:
// as many parts of it as they are of all devices.
void explain_power(const plan::Plan& plan,
                   const memory::Schedule& schedule,
                   std::span<const kernel::Cost> costs,
                   chip::Precision precision,
                   const chip::Device& device,
                   const platform::Platform& platform,
                   StepResult& result);

}  // namespace cairn::explain
