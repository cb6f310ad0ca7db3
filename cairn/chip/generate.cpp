#include "cairn/chip/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cairn/base/quantity_text.hpp"
#include "cairn/chip/voltage.hpp"

namespace cairn::chip {

namespace {

Infeasible infeasible_component(const Use& use, std::string detail) {
  return {.lack = Lack::kChip, .detail = std::move(detail), .part = use.component};
}

// A component that is not absent needs a share of each of its budgets.
std::optional<Infeasible> check_needed_shares(const Use& use, bool needs_perimeter) {
  const char* missing = nullptr;
  if (use.area.given <= SquareMetres(0.0)) {
    missing = "area";
  } else if (use.power.given <= Watts(0.0)) {
    missing = "power";
  } else if (needs_perimeter && use.perimeter.given <= Metres(0.0)) {
    missing = "perimeter";
  }
  if (missing == nullptr) {
    return std::nullopt;
  }
  return infeasible_component(use, fmt::format("has no share of {}, which it needs", missing));
}

Infeasible insufficient(const Use& use, const std::string& of_what, const std::string& unit) {
  return infeasible_component(use, fmt::format("{} is too little for {}", of_what, unit));
}

Feasible<GeneratedCore> make_core(const CoreTemplate& core, Use& use) {
  if (const auto missing = check_needed_shares(use, false)) {
    return *missing;
  }
  const tech::ComputeUnit& unit = core.unit;
  const double max_mcus = whole_units(use.area.given / unit.area);
  if (max_mcus < core.mcus_per_bundle) {
    return insufficient(
        use,
        to_text(use.area.given),
        fmt::format("a bundle of {} MCUs of {}", core.mcus_per_bundle, to_text(unit.area)));
  }
  const OperatingPoint point =
      operate(unit.voltage, max_mcus, Limit::kArea, unit.power, use.power.given);
  if (point.units < core.mcus_per_bundle) {
    return insufficient(use,
                        to_text(use.power.given),
                        fmt::format("a bundle of {} MCUs at their minimum voltage of {}",
                                    core.mcus_per_bundle,
                                    to_text(unit.voltage.minimum)));
  }
  use.area.used = unit.area * point.units;
  use.power.used = point.power;
  use.size_limited_by = point.units_limited_by;
  use.speed_limited_by = point.speed_limited_by;
  return GeneratedCore{
      .bundles = std::floor(point.units / core.mcus_per_bundle),
      .mcus = point.units,
      .mcus_per_bundle = core.mcus_per_bundle,
      .voltage = point.voltage,
      .frequency = unit.frequency * point.frequency_ratio,
      .work_per_cycle = unit.work_per_cycle,
      .precision = unit.precision,
      .rows = unit.rows,
      .columns = unit.columns,
      .dataflow = core.dataflow,
      .utilization = unit.utilization,
      .energy_per_flop = unit.energy_per_flop() * energy_ratio(unit.voltage, point.voltage)};
}

// Static power must leave some of the share for accesses.
std::optional<Infeasible> check_static_power(const Use& use, Bytes capacity, Watts static_power) {
  if (static_power < use.power.given) {
    return std::nullopt;
  }
  return insufficient(
      use,
      to_text(use.power.given),
      fmt::format("the static power of {}, which is {}", to_text(capacity), to_text(static_power)));
}

// A crossbar links each bank to each bundle. Cells and links take 1 - overhead of the area A:
//   (1 - o) A = banks (bank area + (1 - o) bundles link area)
// which is the closed form of the paper's iteration. Accesses get the power that static power
// leaves (Eqs. 2 and 3).
Feasible<GeneratedLevel> make_level(const LevelTemplate& level, double bundles, Use& use) {
  if (const auto missing = check_needed_shares(use, false)) {
    return *missing;
  }
  const tech::OnChipMemory& memory = level.memory;
  const SquareMetres area_of_bank = memory.area * memory.bank_capacity / (1.0 - memory.overhead) +
                                    memory.controller_area * bundles;
  const double banks = whole_units(use.area.given / area_of_bank);
  if (banks < 1.0) {
    return insufficient(use,
                        to_text(use.area.given),
                        fmt::format("a bank of {} with its links to {} bundles, which takes {}",
                                    to_text(memory.bank_capacity),
                                    bundles,
                                    to_text(area_of_bank)));
  }
  const Bytes capacity = memory.bank_capacity * banks;
  const Watts static_power = memory.static_power * capacity + memory.controller_power * banks;
  if (const auto missing = check_static_power(use, capacity, static_power)) {
    return *missing;
  }
  use.area.used = area_of_bank * banks;
  use.power.used = use.power.given;
  use.size_limited_by = Limit::kArea;
  use.speed_limited_by = Limit::kPower;
  return GeneratedLevel{.name = level.name,
                        .scope = level.scope,
                        .banks = banks,
                        .capacity = capacity,
                        .bandwidth = (use.power.given - static_power) / memory.energy,
                        .utilization = memory.utilization,
                        .latency = memory.latency,
                        .energy = memory.energy,
                        .static_power = static_power};
}

struct Count {
  double units = 0.0;
  Limit limited_by{};
};

Count least(std::initializer_list<Count> counts) {
  return std::ranges::min(counts, {}, &Count::units);
}

// Eq. 4: devices fit beside the die, controllers on it, and wires across its perimeter.
Feasible<GeneratedMainMemory> make_main_memory(const tech::OffChipMemory& memory,
                                               SquareMetres beside_the_die,
                                               Use& use) {
  if (const auto missing = check_needed_shares(use, true)) {
    return *missing;
  }
  const double wires = use.perimeter.given * memory.links_per_length;
  const Count devices = least({{whole_units(use.area.given / memory.controller_area), Limit::kArea},
                               {whole_units(beside_the_die / memory.area), Limit::kPackageArea},
                               {whole_units(wires / memory.links), Limit::kPerimeter}});
  if (devices.units < 1.0) {
    return infeasible_component(
        use, fmt::format("there is not enough {} for one device", to_text(devices.limited_by)));
  }
  const Bytes capacity = memory.capacity * devices.units;
  const Watts static_power = memory.static_power * capacity;
  if (const auto missing = check_static_power(use, capacity, static_power)) {
    return *missing;
  }
  const OperatingPoint point = operate(memory.voltage,
                                       memory.links * devices.units,
                                       devices.limited_by,
                                       memory.energy * memory.rate,
                                       use.power.given - static_power);
  if (point.units < 1.0) {
    return insufficient(use, to_text(use.power.given), "one link at its minimum voltage");
  }
  use.area.used = memory.controller_area * devices.units;
  use.power.used = point.power + static_power;
  use.perimeter.used = memory.links * devices.units / memory.links_per_length;
  use.size_limited_by = devices.limited_by;
  use.speed_limited_by = point.units_limited_by == Limit::kMinimumVoltage ? Limit::kMinimumVoltage
                                                                          : point.speed_limited_by;
  const BytesPerSecond link_rate = memory.rate * point.frequency_ratio;
  return GeneratedMainMemory{.devices = devices.units,
                             .links = point.units,
                             .voltage = point.voltage,
                             .link_rate = link_rate,
                             .capacity = capacity,
                             .bandwidth = link_rate * point.units,
                             .utilization = memory.utilization,
                             .latency = memory.latency,
                             .energy = memory.energy * energy_ratio(memory.voltage, point.voltage),
                             .static_power = static_power};
}

Feasible<GeneratedNetwork> make_network(const NetworkTemplate& network, Use& use) {
  if (const auto missing = check_needed_shares(use, true)) {
    return *missing;
  }
  const tech::Link& link = network.link;
  const Count links =
      least({{whole_units(use.area.given / link.area), Limit::kArea},
             {whole_units(use.perimeter.given * link.links_per_length), Limit::kPerimeter}});
  if (links.units < 1.0) {
    return infeasible_component(
        use, fmt::format("there is not enough {} for one link", to_text(links.limited_by)));
  }
  const OperatingPoint point = operate(
      link.voltage, links.units, links.limited_by, link.energy * link.rate, use.power.given);
  if (point.units < 1.0) {
    return insufficient(
        use,
        to_text(use.power.given),
        fmt::format("one link at its minimum voltage of {}", to_text(link.voltage.minimum)));
  }
  use.area.used = link.area * point.units;
  use.power.used = point.power;
  use.perimeter.used = point.units / link.links_per_length;
  use.size_limited_by = point.units_limited_by;
  use.speed_limited_by = point.speed_limited_by;
  const BytesPerSecond link_rate = link.rate * point.frequency_ratio;
  return GeneratedNetwork{
      .topology = network.topology,
      .links = point.units,
      .voltage = point.voltage,
      .link_rate = link_rate,
      .bandwidth = link_rate * (point.units * link.utilization),
      .utilization = link.utilization,
      .latency = link.latency,
      .energy = link.energy * energy_ratio(link.voltage, point.voltage) / link.utilization};
}

}  // namespace

Feasible<Generated> generate(const Template& design) {
  auto uses = allocate_budgets(design);
  if (!uses) {
    return uses.reason();
  }
  Generated chip;
  chip.name = design.name;
  chip.uses = std::move(uses).value();
  auto use = chip.uses.begin();
  auto core = make_core(design.core, *use++);
  if (!core) {
    return core.reason();
  }
  chip.core = std::move(core).value();
  for (const LevelTemplate& level : design.levels) {
    Use& component = *use++;
    if (component.absent) {
      continue;
    }
    auto made = make_level(level, chip.core.bundles, component);
    if (!made) {
      return made.reason();
    }
    chip.levels.push_back(std::move(made).value());
  }
  const auto memory =
      make_main_memory(design.main_memory.memory, design.package_area - design.chip_area, *use++);
  if (!memory) {
    return memory.reason();
  }
  chip.main_memory = *memory;
  for (const auto& [network, place] : {std::pair{&design.intra_package, &chip.intra_package},
                                       std::pair{&design.inter_package, &chip.inter_package}}) {
    if (!*network) {
      continue;
    }
    Use& component = *use++;
    if (component.absent) {
      continue;
    }
    const auto made = make_network(**network, component);
    if (!made) {
      return made.reason();
    }
    *place = *made;
  }
  chip.budgets = budgets_of(chip.uses, design, chip.main_memory.devices);
  return chip;
}

}  // namespace cairn::chip
