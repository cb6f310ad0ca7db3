#include "cairn/report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "cairn/report/collective_rows.hpp"
#include "cairn/report/graph_json.hpp"
#include "cairn/report/json_text.hpp"
#include "cairn/report/labelled.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;
using explain::CollectiveResult;

template <class T>
Json or_null(const std::optional<T>& value) {
  if (!value) {
    return nullptr;
  }
  if constexpr (requires { value->si(); }) {
    return value->si();
  } else {
    return *value;
  }
}

Json links_of(const CollectiveResult& result) {
  Json links = Json::array();
  for (const explain::LinkLoad& link : result.links) {
    links.push_back({{"name", link.name},
                     {"kind",
                      link.of_endpoint ? "endpoint"
                      : link.is_link   ? "link"
                                       : "injection"},
                     {"members", link.members},
                     {"bandwidth_Bps", link.bandwidth.si()},
                     {"carried_B", link.carried.si()},
                     {"utilization", link.utilization}});
  }
  return links;
}

template <class Q>
Json limit(Q quantity) {
  return quantity < Q::infinity() ? Json(quantity.si()) : Json(nullptr);
}

Json limit(double number) {
  return std::isfinite(number) ? Json(number) : Json(nullptr);
}

Json engine_of(const CollectiveResult& result) {
  const comm::EngineLimits& engine = result.endpoint.engine;
  Json partitions = Json::array();
  for (const explain::PartitionUse& partition : result.engine.partitions) {
    partitions.push_back({{"name", partition.name},
                          {"sram_B", limit(partition.room)},
                          {"sram_peak_B", partition.peak.si()},
                          {"sram_mean_B", partition.mean.si()},
                          {"fsms", limit(partition.machines)},
                          {"fsms_busy_share", partition.machines_busy}});
  }
  return {{"busy_share", result.engine.busy},
          {"sram_B", limit(engine.sram)},
          {"sram_peak_B", result.engine.peak.si()},
          {"fsms", limit(engine.fsms)},
          {"fsms_busy_share", result.engine.machines_busy},
          {"alus_Bps", limit(engine.alus)},
          {"split", enum_name(engine.split)},
          {"order", enum_name(engine.order)},
          {"partitions", std::move(partitions)}};
}

Json endpoint_of(const CollectiveResult& result) {
  const comm::Endpoint& endpoint = result.endpoint;
  Json json{{"executor", enum_name(endpoint.executor)},
            {"accounting", enum_name(endpoint.accounting)},
            {"engine_area_m2", endpoint.area.si()},
            {"engine_power_W", endpoint.power.si()},
            {"cores", endpoint.cores},
            {"cores_move_Bps", limit(endpoint.cores_move)},
            {"memory_Bps", limit(endpoint.memory)},
            {"bus_Bps", limit(endpoint.bus)},
            {"read_per_device_B", result.read_per_device.si()},
            {"written_per_device_B", result.written_per_device.si()}};
  if (!result.engine.partitions.empty()) {
    json["engine"] = engine_of(result);
  }
  return json;
}

Json object_of(const CollectiveResult& result) {
  const bool takes_time = result.time > Seconds(0.0);
  const auto rate = [&](BytesPerSecond bandwidth) {
    return takes_time ? Json(bandwidth.si()) : Json(nullptr);
  };
  Json json{{"platform", result.platform},
            {"op", comm::info(result.op).name},
            {"size_B", result.size.si()},
            {"devices", result.devices},
            {"algorithm", result.algorithm}};
  if (!result.protocol.empty()) {
    json["protocol"] = result.protocol;
  }
  if (!result.chosen_because.empty()) {
    json["chosen_because"] = result.chosen_because;
  }
  json.update({{"chunks", result.chunks},
               {"time_s", result.time.si()},
               {"lower_bound_s", result.lower_bound.si()},
               {"algorithm_bandwidth_Bps", rate(result.algorithm_bandwidth)},
               {"bus_bandwidth_Bps", rate(result.bus_bandwidth)},
               {"sent_per_device_B", result.sent_per_device.si()},
               {"driven_bandwidth_Bps", rate(result.driven_bandwidth)},
               {"bound_by", result.bound_by},
               {"events", result.events},
               {"simulated_ranks", result.simulated_ranks},
               {"links", links_of(result)}});
  if (result.endpoint.executor != comm::Executor::kIdeal) {
    json["endpoint"] = endpoint_of(result);
  }
  return json;
}

constexpr std::size_t kMostLinks = 8;  // with rows of their own

void add_timeline(const CollectiveResult& result, Json& json) {
  const CollectiveRows placed = rows_of(result);
  Json classes = Json::array();
  for (const std::string& group : placed.groups) {
    classes.push_back({{"name", group}});
  }
  Json spans = Json::array();
  for (const PlacedSpan& each : placed.spans) {
    spans.push_back({{"name", each.span->name},
                     {"kind", "collective"},
                     {"row", placed.rows[each.row]},
                     {"device_class", each.group},
                     {"begin_s", each.span->begin.si()},
                     {"end_s", each.span->end.si()},
                     {"chunk", each.span->chunk}});
  }
  // Of links, which belong to no device, after those of devices.
  const std::vector<LinkBusy> busy = links_busy(result, kMostLinks);
  if (!busy.empty()) {
    classes.push_back({{"name", "links, the busiest first"}});
  }
  for (const LinkBusy& each : busy) {
    spans.push_back({{"name", count(each.messages, "message", "messages")},
                     {"kind", "link"},
                     {"row", "link: " + each.link},
                     {"device_class", placed.groups.size()},
                     {"begin_s", each.begin.si()},
                     {"end_s", each.end.si()}});
  }
  if (!spans.empty()) {
    json["device_classes"] = std::move(classes);
    json["timeline"] = std::move(spans);
  }
}

Json nodes_by_kind(const platform::Facts& facts) {
  const auto count = [&](platform::NodeKind kind) {
    return facts.nodes[static_cast<std::size_t>(kind)];
  };
  return {{"devices", count(platform::NodeKind::kDevice)},
          {"memory_nodes", count(platform::NodeKind::kMemoryNode)},
          {"switches", count(platform::NodeKind::kSwitch)},
          {"host_sockets", count(platform::NodeKind::kHostSocket)},
          {"pcie_switches", count(platform::NodeKind::kPcieSwitch)}};
}

}  // namespace

std::string collective_json(const CollectiveResult& result, const platform::Platform* detail) {
  Json json = object_of(result);
  if (detail != nullptr) {
    json["platform_graph"] = graph_json(*detail, {result.carried_by_link, result.link_utilization});
    add_timeline(result, json);
  }
  return json_text(std::move(json));
}

std::string collectives_json(std::span<const CollectiveResult> results) {
  Json list = Json::array();
  for (const CollectiveResult& result : results) {
    list.push_back(object_of(result));
  }
  return json_text({{"results", std::move(list)}});
}

std::string platform_json(const platform::Platform& platform, const platform::Facts& facts) {
  Json rings = Json::array();
  for (const std::uint32_t hops : facts.ring_hops) {
    rings.push_back({{"hops", hops}});
  }
  Json classes = Json::array();
  for (const platform::LinkClass& link_class : platform.graph.link_classes()) {
    if (link_class.count > 0) {
      classes.push_back({{"name", link_class.name},
                         {"directions", link_class.count},
                         {"bandwidth_Bps", link_class.bandwidth.si()},
                         {"latency_s", link_class.latency.si()}});
    }
  }
  Json protocols = Json::array();
  for (const platform::Protocol& protocol : platform.protocols) {
    protocols.push_back(
        {{"name", protocol.name},
         {"ops", protocol.ops},
         {"algorithms", protocol.algorithms},
         {"start_s", protocol.start.si()},
         {"latency_s", protocol.latency.si()},
         {"efficiency", protocol.efficiency},
         {"copy_Bps", protocol.copy ? Json(protocol.copy->si()) : Json(nullptr)},
         {"island_devices", protocol.island == 0 ? Json(nullptr) : Json(protocol.island)}});
  }
  return json_text(
      {{"platform", platform.name},
       {"nodes", platform.graph.nodes().size()},
       {"nodes_by_kind", nodes_by_kind(facts)},
       {"dims", platform.dims},
       {"routing", platform::to_text(platform.routing)},
       {"links", facts.links},
       {"link_classes", std::move(classes)},
       {"protocols", std::move(protocols)},
       {"rings", std::move(rings)},
       {"idle_links", or_null(facts.idle_links)},
       {"diameter", or_null(facts.diameter)},
       {"bisection_Bps", facts.bisection ? Json(facts.bisection->bandwidth.si()) : Json(nullptr)},
       {"bisection_method", facts.bisection ? Json(facts.bisection->method) : Json(nullptr)},
       {"device_to_memory_Bps", or_null(facts.device_to_memory)},
       {"memory_B", facts.memory.si()}});
}

std::string items_json(std::span<const Item> items) {
  Json list = Json::array();
  for (const Item& item : items) {
    Json json{{"kind", item.kind}, {"name", item.name}, {"description", item.description}};
    for (const auto& [key, value] : item.details) {
      json[key] = value;
    }
    list.push_back(std::move(json));
  }
  return json_text({{"items", std::move(list)}});
}

}  // namespace cairn::report
