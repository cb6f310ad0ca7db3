#include "cairn/report/step_json.hpp"

#include <nlohmann/json.hpp>

#include "cairn/report/json_text.hpp"
#include "cairn/report/step_detail.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;
using explain::StepResult;

Json breakdown_of(const explain::Breakdown& b) {
  return {{"compute_s", b.compute.si()},
          {"communication_s", b.communication.si()},
          {"memory_s", b.memory.si()},
          {"communication_exposed_s", b.communication_exposed.si()},
          {"memory_exposed_s", b.memory_exposed.si()},
          {"idle_s", b.idle.si()}};
}

Json links_of(const StepResult& result) {
  Json links = Json::array();
  for (const explain::ResourceUse& use : result.resources) {
    links.push_back({{"name", use.name},
                     {"kind", use.is_link ? "link" : "other"},
                     {"members", use.members},
                     {"bandwidth_Bps", use.bandwidth.si()},
                     {"carried_B", use.carried.si()},
                     {"utilization", use.busy}});
  }
  return links;
}

Json activities_of(const StepResult& result) {
  Json activities = Json::object();
  for (const explain::ActivityTotal& total : result.activities) {
    activities[std::string(explain::to_text(total.kind))] = {{"count", total.count},
                                                             {"time_s", total.time.si()}};
  }
  return activities;
}

// Parts that are not known are absent.
Json energy_of(const explain::StepEnergy& spent) {
  Json json{{"compute_J", spent.devices.compute.si()},
            {"levels_J", spent.devices.levels.si()},
            {"memory_J", spent.devices.memory.si()}};
  if (spent.devices.network) {
    json["network_J"] = spent.devices.network->si();
  }
  json["static_J"] = spent.devices.idle.si();
  json["rest_J"] = spent.rest.si();
  return json;
}

void add_power(const StepResult& result, Json& json) {
  const bool by_design = result.power > Watts(0.0);
  if (by_design) {
    json["power_W"] = result.power.si();
  }
  if (by_design || result.spent) {
    json["energy_J"] = result.energy().si();
    json["energy_from"] = result.spent ? "work done" : "design power";
    json["average_power_W"] = result.average_power().si();
    json["samples_per_J"] = result.samples_per_joule();
  }
  if (result.spent) {
    json["energy"] = energy_of(*result.spent);
  }
}

Json cost_of(const chip::Cost& cost) {
  Json items = Json::array();
  for (const chip::CostItem& item : cost.items) {
    items.push_back({{"what", item.what}, {"cost_USD", item.cost.si()}});
  }
  return {{"items", items}, {"unknown", cost.unknown}};
}

Json background_of(const StepResult& result) {
  const explain::BackgroundUse& use = *result.background;
  return {{"sms", use.cores},
          {"memory_Bps", use.bandwidth.si()},
          {"what", use.what},
          {"time_s", use.time.si()},
          {"memory_B", use.memory.si()},
          {"exposed_s", result.breakdown.background.si()}};
}

Json collectives_of(const StepResult& result) {
  Json collectives = Json::array();
  for (const explain::CollectiveUse& use : result.collectives) {
    Json entry{{"op", comm::info(use.op).name},
               {"size_B", use.size.si()},
               {"count", use.times},
               {"algorithm", use.algorithm}};
    if (!use.protocol.empty()) {
      entry["protocol"] = use.protocol;
    }
    collectives.push_back(std::move(entry));
  }
  return collectives;
}

}  // namespace

std::string step_json(const StepResult& result, const StepSubject* detail) {
  Json json{{"model", result.model},
            {"device", result.device},
            {"platform", result.platform},
            {"strategy", result.strategy},
            {"devices", result.devices},
            {"stages", result.stages()},
            {"cuts", result.cuts},
            {"batch", result.batch},
            {"steps", result.steps},
            {"endpoint", enum_name(result.endpoint.executor)},
            {"step_time_s", result.step_time.si()},
            {"samples_per_s", result.batch / result.step_time.si()},
            {"breakdown", breakdown_of(result.breakdown)},
            {"breakdown_stage", result.breakdown_stage},
            {"bound_by", result.bound_by},
            {"utilization", result.utilization},
            {"macs", result.macs},
            {"peak_memory_B", result.peak_memory.si()},
            {"peak_at", result.peak_at},
            {"memory_bound_B", result.memory_bound.si()},
            {"capacity_B", result.capacity.si()},
            {"overflow_B", result.overflow().si()},
            {"offloaded_B", result.offloaded.si()},
            {"moved_B", result.moved.si()},
            {"recomputed_B", result.recomputed.si()},
            {"activities", activities_of(result)},
            {"links", links_of(result)},
            {"collectives", collectives_of(result)},
            {"simulated_classes", result.class_members},
            {"class_stages", result.class_stage},
            {"events", result.events}};
  if (result.background) {
    json["background"] = background_of(result);
  }
  if (result.error_bar.error) {
    json["error_bar"] = *result.error_bar.error;
  } else if (!result.error_bar.why_none.empty()) {
    json["error_bar"] = nullptr;
    json["why_no_error_bar"] = result.error_bar.why_none;
  }
  add_power(result, json);
  if (result.cost) {
    if (!result.cost->items.empty()) {
      json["cost_USD"] = result.cost->total().si();
    }
    json["cost"] = cost_of(*result.cost);
  }
  if (detail != nullptr) {
    add_detail(result, *detail, json);
  }
  return json_text(std::move(json));
}

}  // namespace cairn::report
