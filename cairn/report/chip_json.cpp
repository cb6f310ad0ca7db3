#include "cairn/report/chip_json.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "cairn/report/json_text.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;
using chip::Generated;

// A whole number, printed as one where doubles have them all.
Json count_of(double number) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return number < kExact ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

Json level_json(const chip::GeneratedLevel& level) {
  return {{"name", level.name},
          {"scope", enum_name(level.scope)},
          {"banks", count_of(level.banks)},
          {"capacity_B", level.capacity.si()},
          {"bandwidth_Bps", level.bandwidth.si()},
          {"utilization", level.utilization},
          {"latency_s", level.latency.si()},
          {"energy_per_byte_J", level.energy.si()},
          {"static_power_W", level.static_power.si()}};
}

Json level_json(const chip::GeneratedMainMemory& memory) {
  return {{"name", "main_memory"},
          {"scope", enum_name(chip::Scope::kGlobal)},
          {"devices", count_of(memory.devices)},
          {"links", count_of(memory.links)},
          {"voltage_V", memory.voltage.si()},
          {"capacity_B", memory.capacity.si()},
          {"bandwidth_Bps", memory.bandwidth.si()},
          {"utilization", memory.utilization},
          {"latency_s", memory.latency.si()},
          {"energy_per_byte_J", memory.energy.si()},
          {"static_power_W", memory.static_power.si()}};
}

Json levels_json(const Generated& chip) {
  Json levels = Json::array();
  for (const chip::GeneratedLevel& level : chip.levels) {
    levels.push_back(level_json(level));
  }
  levels.push_back(level_json(chip.main_memory));
  return levels;
}

// null when the chip has none.
Json network_json(const std::optional<chip::GeneratedNetwork>& network) {
  if (!network) {
    return nullptr;
  }
  return {{"topology", enum_name(network->topology)},
          {"links", count_of(network->links)},
          {"voltage_V", network->voltage.si()},
          {"link_rate_Bps", network->link_rate.si()},
          {"bandwidth_Bps", network->bandwidth.si()},
          {"to_each_neighbour_Bps", network->to_each_neighbour().si()},
          {"utilization", network->utilization},
          {"latency_s", network->latency.si()},
          {"energy_per_byte_J", network->energy.si()}};
}

template <class Amount>
Json budget_json(const chip::Budget<Amount>& budget, const std::string& unit) {
  return {{"given_" + unit, budget.given.si()}, {"used_" + unit, budget.used.si()}};
}

Json components_json(const Generated& chip) {
  Json components = Json::array();
  for (const chip::Use& use : chip.uses) {
    Json json{{"name", use.component}, {"absent", use.absent}};
    if (!use.absent) {
      json["area"] = budget_json(use.area, "m2");
      json["power"] = budget_json(use.power, "W");
      json["perimeter"] = budget_json(use.perimeter, "m");
      json["size_limited_by"] = to_text(use.size_limited_by);
      json["speed_limited_by"] = to_text(use.speed_limited_by);
    }
    components.push_back(std::move(json));
  }
  return components;
}

Json cost_json(const chip::Cost& cost) {
  Json items = Json::array();
  for (const chip::CostItem& item : cost.items) {
    items.push_back({{"what", item.what}, {"cost_USD", item.cost.si()}});
  }
  return {{"total_USD", cost.total().si()}, {"items", items}, {"unknown", cost.unknown}};
}

}  // namespace

std::string chip_json(const Generated& chip, const chip::Cost& cost) {
  const chip::GeneratedCore& core = chip.core;
  const chip::Budgets& budgets = chip.budgets;
  const Json json{{"name", chip.name},
                  {"cores", count_of(core.bundles)},
                  {"mcus", count_of(core.mcus)},
                  {"mcus_per_core", count_of(core.mcus_per_bundle)},
                  {"voltage_V", core.voltage.si()},
                  {"frequency_Hz", core.frequency.si()},
                  {"throughput_flops", core.throughput().si()},
                  {"utilization", core.utilization},
                  {"precision", core.precision},
                  {"rows", core.rows},
                  {"columns", core.columns},
                  {"dataflow", enum_name(core.dataflow)},
                  {"energy_per_flop_J", core.energy_per_flop.si()},
                  {"levels", levels_json(chip)},
                  {"network",
                   {{"intra_package", network_json(chip.intra_package)},
                    {"inter_package", network_json(chip.inter_package)}}},
                  {"budgets",
                   {{"area", budget_json(budgets.area, "m2")},
                    {"power", budget_json(budgets.power, "W")},
                    {"perimeter", budget_json(budgets.perimeter, "m")},
                    {"package_area", budget_json(budgets.package_area, "m2")}}},
                  {"components", components_json(chip)},
                  {"cost", cost_json(cost)}};
  return json_text(json);
}

}  // namespace cairn::report
