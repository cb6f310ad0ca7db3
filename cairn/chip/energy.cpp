#include "cairn/chip/energy.hpp"

#include "cairn/base/failure.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::chip {

namespace {

std::optional<Joules> sending(Bytes bytes, const EnergyFigures& figures) {
  if (figures.network) {
    return bytes * *figures.network;
  }
  return bytes > Bytes(0.0) ? std::nullopt : std::optional(Joules(0.0));
}

}  // namespace

const Schema<EnergyFigures>& schema_of(const EnergyFigures*) {
  static const auto kSchema =
      Schema<EnergyFigures>("energy", "what a device spends")
          .required("source", &EnergyFigures::source, "where its figures are from", "a paper")
          .required("flop", &EnergyFigures::flop, "of an operation", "0.6 pJ/flop")
          .not_negative()
          .optional("levels", &EnergyFigures::levels, "to read or write a bit, of each level")
          .not_negative()
          .required("memory", &EnergyFigures::memory, "to read or write a bit", "4 pJ/bit")
          .not_negative()
          .optional("network", &EnergyFigures::network, "to send a bit to another package")
          .not_negative()
          .optional("static_power", &EnergyFigures::static_power, "whether it is used or not")
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

Energy energy_of(const Done& done, const EnergyFigures& figures) {
  ensure(done.level_traffic.size() <= figures.levels.size(),
         "traffic of a level that is not there");
  Energy energy{.compute = done.work * figures.flop,
                .memory = done.memory_traffic * figures.memory,
                .network = sending(done.sent, figures),
                .idle = done.time * figures.static_power};
  for (std::size_t i = 0; i < done.level_traffic.size(); ++i) {
    energy.levels += done.level_traffic[i] * figures.levels[i];
  }
  return energy;
}

}  // namespace cairn::chip
