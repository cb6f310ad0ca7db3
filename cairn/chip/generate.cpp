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

constexpr double kRounding = 1e-9;  // by which shares may add up to more than 1

// Where a component's shares come from.
struct Whole {
  SquareMetres area{};
  Watts power{};
  Metres perimeter{};
};

Whole whole_of(const Template& design) {
  return {design.chip_area, design.power, Metres(4.0 * std::sqrt(design.chip_area.si()))};
}

// Shares are of what the engine leaves; it has nothing of the edge.
Whole beside_the_engine(Whole whole, const Template& design) {
  if (const auto& engine = design.fabric.engine) {
    whole.area -= engine->area();
    whole.power -= engine->power();
  }
  return whole;
}

Infeasible lacks_part(const Use& use, std::string detail) {
  return {.lack = Lack::kChip, .detail = std::move(detail), .part = use.component};
}

std::optional<Infeasible> above_the_engine(const Template& design) {
  const auto& engine = design.fabric.engine;
  const auto reason = [](const char* budget, const auto& takes, const auto& all) {
    return Infeasible{Lack::kChip,
                      fmt::format("the engine takes {} of {}", to_text(takes), to_text(all)),
                      takes / all - 1.0,
                      budget};
  };
  if (engine && engine->area() >= design.chip_area) {
    return reason("area", engine->area(), design.chip_area);
  }
  if (engine && engine->power() >= design.power) {
    return reason("power", engine->power(), design.power);
  }
  return std::nullopt;
}

Use use_of(const CollectivesEngine& engine) {
  return {.component = kEngineName,
          .area = {.given = engine.area(), .used = engine.area()},
          .power = {.given = engine.power(), .used = engine.power()},
          .size_limited_by = Limit::kAsWritten,
          .speed_limited_by = Limit::kAsWritten};
}

Use use_of(const std::string& component, const Shares& shares, const Whole& whole) {
  return {.component = component,
          .absent = shares.area == 0.0 && shares.power == 0.0 && shares.perimeter == 0.0,
          .area = {.given = whole.area * shares.area},
          .power = {.given = whole.power * shares.power},
          .perimeter = {.given = whole.perimeter * shares.perimeter}};
}

// What a component that is there does not get.
std::optional<Infeasible> missing_share(const Use& use, bool needs_perimeter) {
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
  return lacks_part(use, fmt::format("is used but gets no {}", missing));
}

Infeasible too_little(const Use& use, const std::string& of_what, const std::string& unit) {
  return lacks_part(use, fmt::format("{} is too little for {}", of_what, unit));
}

// Energy per operation goes with the square of the voltage.
double energy_ratio(const tech::Supply& supply, Volts voltage) {
  const double ratio = voltage / supply.nominal;
  return ratio * ratio;
}

Feasible<GeneratedCore> make_core(const CoreTemplate& core, Use& use) {
  if (const auto missing = missing_share(use, false)) {
    return *missing;
  }
  const tech::ComputeUnit& unit = core.unit;
  const double most = whole(use.area.given / unit.area);
  if (most < core.mcus_per_bundle) {
    return too_little(
        use,
        to_text(use.area.given),
        fmt::format("a bundle of {} MCUs of {}", core.mcus_per_bundle, to_text(unit.area)));
  }
  const OperatingPoint point =
      operate(unit.voltage, most, Limit::kArea, unit.power, use.power.given);
  if (point.units < core.mcus_per_bundle) {
    return too_little(use,
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

// What memory draws whether it is used or not must leave something for its use.
std::optional<Infeasible> missing_power(const Use& use, Bytes capacity, Watts static_power) {
  if (static_power < use.power.given) {
    return std::nullopt;
  }
  return too_little(
      use,
      to_text(use.power.given),
      fmt::format("the static power of {}, which is {}", to_text(capacity), to_text(static_power)));
}

// A crossbar links each bank to each bundle. Of the area A, cells and links take 1 - overhead:
//   (1 - o) A = banks (bank area + (1 - o) bundles link area)
// so that the paper's iteration has a closed form. Static power leaves the rest to accesses
// (Eqs. 2 and 3).
Feasible<GeneratedLevel> make_level(const LevelTemplate& level, double bundles, Use& use) {
  if (const auto missing = missing_share(use, false)) {
    return *missing;
  }
  const tech::OnChipMemory& memory = level.memory;
  const SquareMetres area_of_bank = memory.area * memory.bank_capacity / (1.0 - memory.overhead) +
                                    memory.controller_area * bundles;
  const double banks = whole(use.area.given / area_of_bank);
  if (banks < 1.0) {
    return too_little(use,
                      to_text(use.area.given),
                      fmt::format("a bank of {} with its links to {} bundles, which takes {}",
                                  to_text(memory.bank_capacity),
                                  bundles,
                                  to_text(area_of_bank)));
  }
  const Bytes capacity = memory.bank_capacity * banks;
  const Watts static_power = memory.static_power * capacity + memory.controller_power * banks;
  if (const auto missing = missing_power(use, capacity, static_power)) {
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

// Eq. 4: devices fit beside the die, their controllers on it, and their wires leave its edge.
Feasible<GeneratedMainMemory> make_main_memory(const tech::OffChipMemory& memory,
                                               SquareMetres beside_the_die,
                                               Use& use) {
  if (const auto missing = missing_share(use, true)) {
    return *missing;
  }
  const double wires = use.perimeter.given * memory.links_per_length;
  const Count devices = least({{whole(use.area.given / memory.controller_area), Limit::kArea},
                               {whole(beside_the_die / memory.area), Limit::kPackageArea},
                               {whole(wires / memory.links), Limit::kPerimeter}});
  if (devices.units < 1.0) {
    return lacks_part(
        use, fmt::format("there is not enough {} for one device", to_text(devices.limited_by)));
  }
  const Bytes capacity = memory.capacity * devices.units;
  const Watts static_power = memory.static_power * capacity;
  if (const auto missing = missing_power(use, capacity, static_power)) {
    return *missing;
  }
  const OperatingPoint point = operate(memory.voltage,
                                       memory.links * devices.units,
                                       devices.limited_by,
                                       memory.energy * memory.rate,
                                       use.power.given - static_power);
  if (point.units < 1.0) {
    return too_little(use, to_text(use.power.given), "one link at its minimum voltage");
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
  if (const auto missing = missing_share(use, true)) {
    return *missing;
  }
  const tech::Link& link = network.link;
  const Count links =
      least({{whole(use.area.given / link.area), Limit::kArea},
             {whole(use.perimeter.given * link.links_per_length), Limit::kPerimeter}});
  if (links.units < 1.0) {
    return lacks_part(
        use, fmt::format("there is not enough {} for one link", to_text(links.limited_by)));
  }
  const OperatingPoint point = operate(
      link.voltage, links.units, links.limited_by, link.energy * link.rate, use.power.given);
  if (point.units < 1.0) {
    return too_little(
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

std::optional<Infeasible> above_the_whole(const std::vector<Use>& uses, const Whole& whole) {
  Whole sum{};
  for (const Use& use : uses) {
    sum.area += use.area.given;
    sum.power += use.power.given;
    sum.perimeter += use.perimeter.given;
  }
  const auto reason = [](const char* budget, double parts) {
    return Infeasible{
        Lack::kChip, fmt::format("shares add up to {:.4g} of it", parts), parts - 1.0, budget};
  };
  constexpr double kMost = 1.0 + kRounding;
  if (sum.area / whole.area > kMost) {
    return reason("area", sum.area / whole.area);
  }
  if (sum.power / whole.power > kMost) {
    return reason("power", sum.power / whole.power);
  }
  if (sum.perimeter / whole.perimeter > kMost) {
    return reason("perimeter", sum.perimeter / whole.perimeter);
  }
  return std::nullopt;
}

std::optional<Infeasible> above_the_package(const Template& design) {
  if (design.package_area < design.chip_area) {
    return Infeasible{Lack::kPackageArea,
                      fmt::format("{} is less than the chip's {}",
                                  to_text(design.package_area),
                                  to_text(design.chip_area)),
                      design.chip_area / design.package_area - 1.0};
  }
  if (design.package && design.package_area > design.package->largest_area) {
    return Infeasible{Lack::kPackageArea,
                      fmt::format("{} is more than the {} that can be made",
                                  to_text(design.package_area),
                                  to_text(design.package->largest_area)),
                      design.package_area / design.package->largest_area - 1.0};
  }
  return std::nullopt;
}

// One for each component, in the order of Generated::uses.
std::vector<Use> uses_of(const Template& design, const Whole& whole) {
  std::vector<Use> uses;
  uses.reserve(design.levels.size() + 4);
  uses.push_back(use_of("core", design.core.shares, whole));
  for (const LevelTemplate& level : design.levels) {
    uses.push_back(use_of(level.name, level.shares, whole));
  }
  uses.push_back(use_of("main_memory", design.main_memory.shares, whole));
  if (design.intra_package) {
    uses.push_back(use_of("intra_package", design.intra_package->shares, whole));
  }
  if (design.inter_package) {
    uses.push_back(use_of("inter_package", design.inter_package->shares, whole));
  }
  return uses;
}

Budgets budgets_of(const Generated& chip, const Template& design, const Whole& whole) {
  Budgets budgets{.area = {.given = whole.area},
                  .power = {.given = whole.power},
                  .perimeter = {.given = whole.perimeter},
                  .package_area = {.given = design.package_area}};
  for (const Use& use : chip.uses) {
    budgets.area.used += use.area.used;
    budgets.power.used += use.power.used;
    budgets.perimeter.used += use.perimeter.used;
  }
  budgets.package_area.used =
      design.chip_area + design.main_memory.memory.area * chip.main_memory.devices;
  return budgets;
}

}  // namespace

Feasible<Generated> generate(const Template& design) {
  if (const auto above = above_the_engine(design)) {
    return *above;
  }
  const Whole whole = beside_the_engine(whole_of(design), design);
  Generated chip{.name = design.name, .uses = uses_of(design, whole)};
  if (const auto above = above_the_whole(chip.uses, whole)) {
    return *above;
  }
  if (const auto above = above_the_package(design)) {
    return *above;
  }
  auto use = chip.uses.begin();
  auto core = make_core(design.core, *use++);
  if (!core) {
    return core.reason();
  }
  chip.core = std::move(core).value();
  for (const LevelTemplate& level : design.levels) {
    Use& its = *use++;
    if (its.absent) {
      continue;
    }
    auto made = make_level(level, chip.core.bundles, its);
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
    Use& its = *use++;
    if (its.absent) {
      continue;
    }
    const auto made = make_network(**network, its);
    if (!made) {
      return made.reason();
    }
    *place = *made;
  }
  if (design.fabric.engine) {
    chip.uses.push_back(use_of(*design.fabric.engine));
  }
  chip.budgets = budgets_of(chip, design, whole_of(design));
  return chip;
}

}  // namespace cairn::chip
