#include "cairn/report/chip_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using chip::Generated;

constexpr int kVoltageDigits = 3;

// What a component is made of, and what it gives.
struct Made {
  std::string of{};
  std::string gives{};
  std::string voltage{};
};

Made made(const chip::GeneratedCore& core) {
  return {fmt::format("{} MCUs", core.mcus),
          to_text(core.throughput()),
          to_text(core.voltage, kVoltageDigits)};
}

Made made(const chip::GeneratedLevel& level) {
  return {fmt::format("{} banks", level.banks),
          fmt::format("{}, {}", to_text(level.capacity), to_text(level.bandwidth)),
          ""};
}

Made made(const chip::GeneratedMainMemory& memory) {
  return {fmt::format("{} devices", memory.devices),
          fmt::format("{}, {}", to_text(memory.capacity), to_text(memory.bandwidth)),
          to_text(memory.voltage, kVoltageDigits)};
}

Made made(const chip::GeneratedNetwork& network) {
  return {fmt::format("{} links", network.links),
          to_text(network.bandwidth),
          to_text(network.voltage, kVoltageDigits)};
}

// Of all components that are there, in the order of Generated::uses.
std::vector<Made> all_made(const Generated& chip) {
  std::vector<Made> all{made(chip.core)};
  for (const chip::GeneratedLevel& level : chip.levels) {
    all.push_back(made(level));
  }
  all.push_back(made(chip.main_memory));
  for (const auto* network : {&chip.intra_package, &chip.inter_package}) {
    if (*network) {
      all.push_back(made(**network));
    }
  }
  if (chip.uses.back().component == chip::kEngineName) {
    all.push_back({"its parts", "collectives", ""});
  }
  return all;
}

template <class Amount>
std::string percent(Amount part, Amount all) {
  return part == Amount(0.0) ? "" : fmt::format("{:.1f}", 100.0 * (part / all));
}

// At the minimum voltage it is power that limits both.
std::string limits(const chip::Use& use) {
  const std::string size(to_text(use.size_limited_by));
  const bool both = use.size_limited_by == chip::Limit::kMinimumVoltage ||
                    use.size_limited_by == use.speed_limited_by;
  return both ? size : fmt::format("{}, {}", size, to_text(use.speed_limited_by));
}

std::string components_table(const Generated& chip) {
  const std::vector<Column> columns{{.header = "component", .align = Align::kLeft, .widest = 16},
                                    {.header = "made of"},
                                    {.header = "gives"},
                                    {.header = "voltage"},
                                    {.header = "area %"},
                                    {.header = "power %"},
                                    {.header = "edge %"},
                                    {.header = "limited by", .align = Align::kLeft}};
  const chip::Budgets& whole = chip.budgets;
  const std::vector<Made> parts = all_made(chip);
  auto part = parts.begin();
  std::vector<std::vector<std::string>> rows;
  for (const chip::Use& use : chip.uses) {
    if (use.absent) {
      rows.push_back({use.component, "absent", "", "", "", "", "", ""});
      continue;
    }
    rows.push_back({use.component,
                    part->of,
                    part->gives,
                    part->voltage,
                    percent(use.area.used, whole.area.given),
                    percent(use.power.used, whole.power.given),
                    percent(use.perimeter.used, whole.perimeter.given),
                    limits(use)});
    ++part;
  }
  rows.push_back({"all",
                  "",
                  "",
                  "",
                  percent(whole.area.used, whole.area.given),
                  percent(whole.power.used, whole.power.given),
                  percent(whole.perimeter.used, whole.perimeter.given),
                  ""});
  return table_text(columns, rows);
}

template <class Amount>
std::string used_of(const chip::Budget<Amount>& budget) {
  return fmt::format("{} of {}", to_text(budget.used), to_text(budget.given));
}

std::string cost_line(const chip::Cost& cost) {
  std::string parts;
  for (const chip::CostItem& item : cost.items) {
    parts += fmt::format("{}{} {:.0f}", parts.empty() ? "" : ", ", item.what, item.cost.si());
  }
  for (const std::string& what : cost.unknown) {
    parts += fmt::format("{}{} unknown", parts.empty() ? "" : ", ", what);
  }
  return noted(many(cost.total().si()) + " USD", parts);
}

}  // namespace

std::string chip_text(const Generated& chip, const chip::Cost& cost) {
  const chip::GeneratedCore& core = chip.core;
  std::string text = wrap_text(chip.name, 0) + "\n\n";
  text += labelled("throughput",
                   noted(to_text(core.throughput()),
                         fmt::format("{}, of which kernels reach at most {:.0f} %",
                                     core.precision,
                                     100.0 * core.utilization)));
  text += labelled("cores",
                   noted(fmt::format("{} at {}", core.bundles, to_text(core.frequency)),
                         fmt::format("of {} MCUs each", core.mcus_per_bundle)));
  text += labelled("area", used_of(chip.budgets.area));
  text += labelled("power", used_of(chip.budgets.power));
  text += labelled("edge", used_of(chip.budgets.perimeter));
  text += labelled("package", used_of(chip.budgets.package_area));
  text += labelled("cost", cost_line(cost));
  return text + "\n" + components_table(chip);
}

}  // namespace cairn::report
