#include "cairn/report/chip_document.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::report {

namespace {

using chip::Generated;

constexpr int kVoltageDigits = 3;

// A whole number, printed as an integer while doubles are exact.
Value count_of(double number) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return number < kExact ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

// Units, performance and voltage of a component.
struct ComponentText {
  std::string units{};
  std::string performance{};
  std::string voltage{};
};

ComponentText text_of(const chip::GeneratedCore& core) {
  return {fmt::format("{} MCUs", core.mcus),
          to_text(core.throughput()),
          to_text(core.voltage, kVoltageDigits)};
}

ComponentText text_of(const chip::GeneratedLevel& level) {
  return {fmt::format("{} banks", level.banks),
          fmt::format("{}, {}", to_text(level.capacity), to_text(level.bandwidth)),
          ""};
}

ComponentText text_of(const chip::GeneratedMainMemory& memory) {
  return {fmt::format("{} devices", memory.devices),
          fmt::format("{}, {}", to_text(memory.capacity), to_text(memory.bandwidth)),
          to_text(memory.voltage, kVoltageDigits)};
}

ComponentText text_of(const chip::GeneratedNetwork& network) {
  return {fmt::format("{} links", network.links),
          to_text(network.bandwidth),
          to_text(network.voltage, kVoltageDigits)};
}

// All components that are present, in the order of Generated::uses.
std::vector<ComponentText> all_texts(const Generated& chip) {
  std::vector<ComponentText> all{text_of(chip.core)};
  for (const chip::GeneratedLevel& level : chip.levels) {
    all.push_back(text_of(level));
  }
  all.push_back(text_of(chip.main_memory));
  for (const auto* network : {&chip.intra_package, &chip.inter_package}) {
    if (*network) {
      all.push_back(text_of(**network));
    }
  }
  if (chip.uses.back().component == chip::kEngineName) {
    all.push_back({"fixed parts", "collectives", ""});
  }
  return all;
}

template <class Amount>
std::string percent_of(Amount part, Amount all) {
  return part == Amount(0.0) ? "" : fmt::format("{:.1f}", 100.0 * (part / all));
}

// At the minimum voltage, power limits both size and speed.
std::string limits(const chip::Use& use) {
  const std::string size(to_text(use.size_limited_by));
  const bool both = use.size_limited_by == chip::Limit::kMinimumVoltage ||
                    use.size_limited_by == use.speed_limited_by;
  return both ? size : fmt::format("{}, {}", size, to_text(use.speed_limited_by));
}

template <class Amount>
Value budget_of(const chip::Budget<Amount>& budget, const std::string& unit) {
  return Object{{"given_" + unit, budget.given}, {"used_" + unit, budget.used}};
}

Table components(const Generated& chip) {
  Table table{
      .key = "components",
      .columns = {{.key = "name", .label = "component", .align = Align::kLeft, .widest = 16},
                  {"absent"},
                  {"area"},
                  {"power"},
                  {"perimeter"},
                  {"size_limited_by"},
                  {"speed_limited_by"},
                  {.label = "units"},
                  {.label = "performance"},
                  {.label = "voltage"},
                  {.label = "area %"},
                  {.label = "power %"},
                  {.label = "edge %"},
                  {.label = "limited by", .align = Align::kLeft}}};
  const chip::Budgets& whole = chip.budgets;
  const std::vector<ComponentText> parts = all_texts(chip);
  auto part = parts.begin();
  for (const chip::Use& use : chip.uses) {
    if (use.absent) {
      table.rows.push_back({use.component, true, {}, {}, {}, {}, {}, "absent"});
      table.rows.back().resize(table.columns.size());
      continue;
    }
    table.rows.push_back({use.component,
                          false,
                          budget_of(use.area, "m2"),
                          budget_of(use.power, "W"),
                          budget_of(use.perimeter, "m"),
                          to_text(use.size_limited_by),
                          to_text(use.speed_limited_by),
                          part->units,
                          part->performance,
                          part->voltage,
                          percent_of(use.area.used, whole.area.given),
                          percent_of(use.power.used, whole.power.given),
                          percent_of(use.perimeter.used, whole.perimeter.given),
                          limits(use)});
    ++part;
  }
  table.total = {"total", {}, {}, {}, {}, {}, {}, {}, {}, {}};
  table.total.insert(table.total.end(),
                     {percent_of(whole.area.used, whole.area.given),
                      percent_of(whole.power.used, whole.power.given),
                      percent_of(whole.perimeter.used, whole.perimeter.given),
                      {}});
  return table;
}

Value levels_of(const Generated& chip) {
  List levels;
  for (const chip::GeneratedLevel& level : chip.levels) {
    levels.push_back(Object{{"name", level.name},
                            {"scope", enum_name(level.scope)},
                            {"banks", count_of(level.banks)},
                            {"capacity_B", level.capacity},
                            {"bandwidth_Bps", level.bandwidth},
                            {"utilization", level.utilization},
                            {"latency_s", level.latency},
                            {"energy_per_byte_J", level.energy},
                            {"static_power_W", level.static_power}});
  }
  const chip::GeneratedMainMemory& memory = chip.main_memory;
  levels.push_back(Object{{"name", "main_memory"},
                          {"scope", enum_name(chip::Scope::kGlobal)},
                          {"devices", count_of(memory.devices)},
                          {"links", count_of(memory.links)},
                          {"voltage_V", memory.voltage},
                          {"capacity_B", memory.capacity},
                          {"bandwidth_Bps", memory.bandwidth},
                          {"utilization", memory.utilization},
                          {"latency_s", memory.latency},
                          {"energy_per_byte_J", memory.energy},
                          {"static_power_W", memory.static_power}});
  return levels;
}

// Null if the chip has none.
Value network_of(const std::optional<chip::GeneratedNetwork>& network) {
  if (!network) {
    return nullptr;
  }
  return Object{{"topology", enum_name(network->topology)},
                {"links", count_of(network->links)},
                {"voltage_V", network->voltage},
                {"link_rate_Bps", network->link_rate},
                {"bandwidth_Bps", network->bandwidth},
                {"to_each_neighbour_Bps", network->to_each_neighbour()},
                {"utilization", network->utilization},
                {"latency_s", network->latency},
                {"energy_per_byte_J", network->energy}};
}

void add_core(const chip::GeneratedCore& core, Document& document) {
  document.add(
      Field{.key = "throughput_flops",
            .value = core.throughput(),
            .label = "throughput",
            .note = fmt::format(
                "{}; kernels reach at most {:.0f} %", core.precision, 100.0 * core.utilization)});
  document.add(Field{.key = "cores",
                     .value = count_of(core.bundles),
                     .label = "cores",
                     .text = fmt::format("{} at {}", core.bundles, to_text(core.frequency)),
                     .note = fmt::format("{} MCUs each", core.mcus_per_bundle)});
  document.add("mcus", count_of(core.mcus));
  document.add("mcus_per_core", count_of(core.mcus_per_bundle));
  document.add("voltage_V", core.voltage);
  document.add("frequency_Hz", core.frequency);
  document.add("utilization", core.utilization);
  document.add("precision", core.precision);
  document.add("rows", core.rows);
  document.add("columns", core.columns);
  document.add("dataflow", enum_name(core.dataflow));
  document.add("energy_per_flop_J", core.energy_per_flop);
}

void add_budgets(const chip::Budgets& budgets, Document& document) {
  const auto line = [&](const char* label, const auto& budget) {
    document.add(
        Field{.label = label,
              .text = fmt::format("{} of {}", to_text(budget.used), to_text(budget.given))});
  };
  line("area", budgets.area);
  line("power", budgets.power);
  line("edge", budgets.perimeter);
  line("package", budgets.package_area);
  document.add("budgets",
               Object{{"area", budget_of(budgets.area, "m2")},
                      {"power", budget_of(budgets.power, "W")},
                      {"perimeter", budget_of(budgets.perimeter, "m")},
                      {"package_area", budget_of(budgets.package_area, "m2")}});
}

void add_cost(const chip::Cost& cost, Document& document) {
  std::string parts;
  List items;
  for (const chip::CostItem& item : cost.items) {
    parts += fmt::format("{}{} {:.0f}", parts.empty() ? "" : ", ", item.what, item.cost.si());
    items.push_back(Object{{"what", item.what}, {"cost_USD", item.cost}});
  }
  for (const std::string& what : cost.unknown) {
    parts += fmt::format("{}{} unknown", parts.empty() ? "" : ", ", what);
  }
  document.add(Field{.key = "cost",
                     .value = Object{{"total_USD", cost.total()},
                                     {"items", std::move(items)},
                                     {"unknown", cost.unknown}},
                     .label = "cost",
                     .text = many(cost.total().si()) + " USD",
                     .note = parts});
}

}  // namespace

Document document_of(const Generated& chip, const chip::Cost& cost) {
  Document document{.verb = "chip", .name = chip.name, .title = chip.name};
  add_core(chip.core, document);
  document.add("levels", levels_of(chip));
  document.add("network",
               Object{{"intra_package", network_of(chip.intra_package)},
                      {"inter_package", network_of(chip.inter_package)}});
  add_budgets(chip.budgets, document);
  add_cost(cost, document);
  document.add(components(chip));
  return document;
}

}  // namespace cairn::report
