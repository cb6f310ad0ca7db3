#include "cairn/chip/energy.hpp"

#include "cairn/base/failure.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::chip {

namespace {

std::optional<Joules> network_energy(Bytes bytes, const EnergyFigures& figures) {
  if (figures.network) {
    return bytes * *figures.network;
  }
  return bytes > Bytes(0.0) ? std::nullopt : std::optional(Joules(0.0));
}

}  // namespace

const Schema<EnergyFigures>& schema_of(const EnergyFigures*) {
  static const auto kSchema =
      Schema<EnergyFigures>("energy", "energy figures of a device")
          .required("source", &EnergyFigures::source, "source of the figures", "a paper")
          .required("flop", &EnergyFigures::flop, "energy per operation", "0.6 pJ/flop")
          .not_negative()
          .optional("levels", &EnergyFigures::levels, "per bit read or written, for each level")
          .not_negative()
          .required("memory", &EnergyFigures::memory, "per bit read or written", "4 pJ/bit")
          .not_negative()
          .optional("network", &EnergyFigures::network, "per bit sent to another package")
          .not_negative()
          .optional("static_power", &EnergyFigures::static_power, "drawn also when idle")
          .not_negative();
  return kSchema;
}

EnergyFigures energy_figures(const Generated& chip) {
  EnergyFigures figures{.flop = chip.core.energy_per_flop,
                        .memory = chip.main_memory.energy,
                        .static_power = chip.main_memory.static_power};
  for (const GeneratedLevel& level : chip.levels) {
    figures.levels.push_back(level.energy);
    figures.static_power += level.static_power;
  }
  if (chip.inter_package) {
    figures.network = chip.inter_package->energy;
  }
  return figures;
}

Energy energy_of(const DeviceActivity& activity, const EnergyFigures& figures) {
  ensure(activity.level_traffic.size() <= figures.levels.size(),
         "traffic of a level that does not exist");
  Energy energy{.compute = activity.work * figures.flop,
                .memory = activity.memory_traffic * figures.memory,
                .network = network_energy(activity.sent, figures),
                .idle = activity.time * figures.static_power};
  for (std::size_t i = 0; i < activity.level_traffic.size(); ++i) {
    energy.levels += activity.level_traffic[i] * figures.levels[i];
  }
  return energy;
}

}  // namespace cairn::chip
