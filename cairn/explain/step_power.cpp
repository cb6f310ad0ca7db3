#include "cairn/explain/step_power.hpp"

#include <utility>

namespace cairn::explain {

StepPower power_of(const lower::LoweredStep& step,
                   const System& system,
                   Seconds step_time,
                   Bytes traffic) {
  const auto& [device, platform, endpoint] = system;
  const double devices = step.plan->devices();
  const double share = devices / platform.device_count();
  // Collectives engines count as part of the rest, not of the devices.
  const Watts rest = power_without_devices(platform) * share + endpoint.power * devices;
  StepPower power;
  if (device.power > Watts(0.0)) {
    power.design = device.power * devices + rest;
  }
  if (device.energy) {
    chip::DeviceActivity done = work_done(step, device.levels.size());
    done.time = step_time * devices;
    done.sent = traffic;
    power.work_energy = {.devices = energy_of(done, *device.energy), .rest = rest * step_time};
  }
  if (device.cost) {
    power.cost = device.cost;
    for (chip::CostItem& item : power.cost->items) {
      item.cost = item.cost * devices;
    }
  }
  return power;
}

}  // namespace cairn::explain
