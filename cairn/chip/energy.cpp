#include "cairn/chip/energy.hpp"

#include "cairn/base/must_have.hpp"

namespace cairn::chip {

namespace {

Joules sent(Bytes bytes, const std::optional<GeneratedNetwork>& network) {
  if (bytes == Bytes(0.0)) {
    return Joules(0.0);
  }
  return bytes *
         must_have(network, "bytes were sent over a network that the chip does not have").energy;
}

}  // namespace

Watts static_power(const Generated& chip) {
  Watts power = chip.main_memory.static_power;
  for (const GeneratedLevel& level : chip.levels) {
    power += level.static_power;
  }
  return power;
}

Energy energy_of(const Done& done, const Generated& chip) {
  ensure(done.level_traffic.size() <= chip.levels.size(), "traffic of a level that is not there");
  Energy energy{.compute = done.work * chip.core.energy_per_flop,
                .main_memory = done.memory_traffic * chip.main_memory.energy,
                .network = sent(done.intra_package_sent, chip.intra_package) +
                           sent(done.inter_package_sent, chip.inter_package),
                .idle = done.time * static_power(chip)};
  for (std::size_t i = 0; i < done.level_traffic.size(); ++i) {
    energy.levels += done.level_traffic[i] * chip.levels[i].energy;
  }
  return energy;
}

}  // namespace cairn::chip
