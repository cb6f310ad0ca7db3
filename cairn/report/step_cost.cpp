#include "cairn/report/step_cost.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/fields.hpp"

namespace cairn::report {

using explain::StepResult;

namespace {

std::string parts_of(const explain::StepEnergy& energy) {
  const auto& [compute, levels, memory, network, idle] = energy.devices;
  std::string parts;
  const auto add = [&](const char* name, Joules part) {
    parts += fmt::format("{}{} {}",
                         parts.empty() ? "" : ", ",
                         name,
                         percent(part == Joules(0.0) ? 0.0 : part / energy.total()));
  };
  add("compute", compute);
  add("levels", levels);
  add("memory", memory);
  if (network) {
    add("network", *network);
  }
  add("static", idle);
  if (energy.rest > Joules(0.0)) {
    add("rest of the platform", energy.rest);
  }
  return parts + (network ? "" : "; network unknown");
}

// The devices whose power, energy and cost are counted.
std::string devices_counted(const StepResult& result) {
  return result.devices < result.platform_devices
             ? fmt::format("of {} of {} devices", result.devices, result.platform_devices)
             : "of the whole platform";
}

}  // namespace

// Unknown parts are absent.
void add_power(const StepResult& result, Document& document) {
  const bool by_design = result.power > Watts(0.0);
  if (!by_design && !result.work_energy) {
    return;
  }
  const std::string design_power = by_design && result.work_energy
                                       ? fmt::format(", {} design power", to_text(result.power))
                                       : "";
  document.add("power_W", by_design ? Value(result.power) : Value());
  document.add(Field{.key = "average_power_W",
                     .value = result.average_power(),
                     .label = "power",
                     .note = fmt::format("{}{}{}, {} samples/s per watt",
                                         devices_counted(result),
                                         result.work_energy ? " on average" : "",
                                         design_power,
                                         many(result.samples_per_joule()))});
  document.add(Field{.key = "energy_J",
                     .value = result.energy(),
                     .label = "energy",
                     .note = result.work_energy ? parts_of(*result.work_energy)
                                                : "assuming design power throughout"});
  document.add("energy_from", result.work_energy ? "work done" : "design power");
  document.add("samples_per_J", result.samples_per_joule());
  if (result.work_energy) {
    document.add("energy",
                 Object{{"compute_J", result.work_energy->devices.compute},
                        {"levels_J", result.work_energy->devices.levels},
                        {"memory_J", result.work_energy->devices.memory},
                        {"network_J", if_known(result.work_energy->devices.network)},
                        {"static_J", result.work_energy->devices.idle},
                        {"rest_J", result.work_energy->rest}});
  }
}

void add_cost(const StepResult& result, Document& document) {
  if (!result.cost) {
    return;
  }
  const chip::Cost& cost = *result.cost;
  const bool known = !cost.items.empty();
  std::string note =
      result.devices < result.platform_devices ? devices_counted(result) : "of all devices";
  if (!cost.unknown.empty()) {
    note += fmt::format("; price unknown: {}", fmt::join(cost.unknown, ", "));
  }
  document.add(Field{.key = "cost_USD",
                     .value = known ? Value(cost.total()) : Value(),
                     .label = "cost",
                     .text = known ? many(cost.total().si()) + " USD" : "unknown",
                     .note = note});
  List items;
  for (const chip::CostItem& item : cost.items) {
    items.push_back(Object{{"what", item.what}, {"cost_USD", item.cost}});
  }
  document.add("cost", Object{{"items", std::move(items)}, {"unknown", cost.unknown}});
}

}  // namespace cairn::report
