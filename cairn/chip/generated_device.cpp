#include "cairn/chip/generated_device.hpp"

namespace cairn::chip {

namespace {

MatrixRates rates_of(const GeneratedCore& core, Flops rate) {
  MatrixRates rates;
  for (const auto& [precision, name] : EnumNames<Precision>::kNames) {
    if (core.precision == name) {
      rates.*MatrixRates::member_of(precision) = rate;
    }
  }
  return rates;
}

double count_of(const GeneratedCore& core, Scope scope) {
  switch (scope) {
    case Scope::kMcu:
      return core.mcus;
    case Scope::kBundle:
      return core.bundles;
    case Scope::kGlobal:
      return 1.0;
  }
  throw Bug("a scope without a count");
}

}  // namespace

Device device_of(const Generated& chip, const Template& design) {
  const GeneratedCore& core = chip.core;
  const Flops rate = core.work_per_cycle * (core.mcus / core.bundles);
  Device device{.name = chip.name};
  device.cores = {.count = core.bundles,
                  .frequency = core.frequency,
                  .units = core.mcus_per_bundle,
                  .rows = core.rows * 1.0,
                  .columns = core.columns * 1.0,
                  .matrix = rates_of(core, rate),
                  .vector = rate,
                  .dataflow = core.dataflow,
                  .utilization = core.utilization};
  for (const GeneratedLevel& level : chip.levels) {
    device.levels.push_back({.name = level.name,
                             .scope = level.scope,
                             .capacity = level.capacity / count_of(core, level.scope),
                             .bandwidth = level.bandwidth,
                             .latency = level.latency,
                             .utilization = level.utilization});
  }
  device.memory = {.capacity = chip.main_memory.capacity,
                   .bandwidth = chip.main_memory.bandwidth,
                   .latency = chip.main_memory.latency,
                   .utilization = chip.main_memory.utilization};
  // The engine's power is added where it executes collectives (comm/endpoint.hpp).
  device.power = chip.budgets.power.given -
                 (design.fabric.engine ? design.fabric.engine->power() : Watts(0.0));
  device.area = chip.budgets.area.used;
  device.fabric = design.fabric;
  if (chip.inter_package) {
    device.links = chip.inter_package->bandwidth;
  }
  device.energy = energy_figures(chip);
  device.cost = cost_of(chip, design);
  return device;
}

}  // namespace cairn::chip
