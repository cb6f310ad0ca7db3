#include "cairn/explain/step_power.hpp"

namespace cairn::explain {

void explain_power(const plan::Plan& plan,
                   const memory::Schedule& schedule,
                   std::span<const kernel::Cost> costs,
                   chip::Precision precision,
                   const chip::Device& device,
                   const platform::Platform& platform,
                   StepResult& result) {
  const double devices = plan.devices();
  const double share = devices / platform.device_count();
  result.platform_devices = platform.device_count();
  // Engines that execute collectives count with what is no device.
  const Watts rest = power_without_devices(platform) * share + result.endpoint.power * devices;
  if (device.power > Watts(0.0)) {
    result.power = device.power * devices + rest;
  }
  if (device.energy) {
    chip::Done done = work_done(plan, schedule, costs, precision, device.levels.size());
    done.time = result.step_time * devices;
    done.sent = result.carried;
    result.spent = {.devices = energy_of(done, *device.energy), .rest = rest * result.step_time};
  }
  if (device.cost) {
    result.cost = device.cost;
    for (chip::CostItem& item : result.cost->items) {
      item.cost = item.cost * devices;
    }
  }
}

}  // namespace cairn::explain
