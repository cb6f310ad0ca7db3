#include "cairn/report/collective_document.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "cairn/base/count_text.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/collective_rows.hpp"
#include "cairn/report/fields.hpp"
#include "cairn/report/graph_value.hpp"

namespace cairn::report {

namespace {

using explain::CollectiveResult;
using explain::LinkLoad;
using explain::ResourceKind;

// "ring 7 ms, direct 9 ms": lines break only after a comma.
std::string unbroken(const std::string& list) {
  std::string text;
  for (const char letter : list) {
    const bool inside = letter == ' ' && !text.ends_with(',');
    text += inside ? "\u00a0" : std::string(1, letter);
  }
  return text;
}

std::string title(const CollectiveResult& result, const std::string& size) {
  return fmt::format("{}{} among {} on {}",
                     comm::info(result.op).name,
                     size,
                     count_text(result.devices, "device", "devices"),
                     result.platform);
}

std::string above_bound(const CollectiveResult& result) {
  if (result.lower_bound <= Seconds(0.0)) {
    return "";
  }
  const double above = result.time / result.lower_bound - 1.0;
  if (above < -5e-5) {
    return "the time is below this bound, which is a bug in cairn: please report it";
  }
  if (above < 5e-5) {
    return "reached";
  }
  return above < 1.0 ? fmt::format("the time is {:.3g} % above this bound", above * 100.0)
                     : fmt::format("the time is {} times this bound", many(above + 1.0, 3));
}

// Null if the time is 0.
Value rate(const CollectiveResult& result, BytesPerSecond bandwidth) {
  return result.time > Seconds(0.0) ? Value(bandwidth) : Value(nullptr);
}

// Labelled, and so shown as text, only if the time is above 0.
void add_time(const CollectiveResult& result, Document& document) {
  const auto label = [&](const char* words) { return result.time > Seconds(0.0) ? words : ""; };
  document.add(Field{.key = "time_s", .value = result.time, .label = "time"});
  document.add(Field{.key = "bus_bandwidth_Bps",
                     .value = rate(result, result.bus_bandwidth),
                     .label = label("bus bandwidth"),
                     .note = fmt::format("{:.4g} x size / time, as NCCL defines it",
                                         comm::bus_factor(result.op, result.devices))});
  document.add(Field{.key = "algorithm_bandwidth_Bps",
                     .value = rate(result, result.algorithm_bandwidth),
                     .label = label("algorithm bandwidth"),
                     .note = "size / time"});
  document.add(Field{.key = "lower_bound_s",
                     .value = result.lower_bound,
                     .label = label("lower bound"),
                     .note = above_bound(result)});
  add_bound(document, result.bound);
  document.add(
      Field{.key = "algorithm",
            .value = result.algorithm,
            .label = label("algorithm"),
            .text = result.algorithm + ", " + count_text(result.chunks, "chunk", "chunks")});
  document.add(Field{.key = "chosen_because",
                     .value = if_given(result.chosen_because),
                     .label = " ",
                     .text = unbroken(result.chosen_because)});
  document.add(
      Field{.key = "protocol", .value = if_given(result.protocol), .label = label("protocol")});
  document.add("chunks", result.chunks);
  document.add(Field{.key = "sent_per_device_B",
                     .value = result.sent_per_device,
                     .label = label("sent per device"),
                     .note = fmt::format("at {}", to_text(result.driven_bandwidth))});
  document.add("driven_bandwidth_Bps", rate(result, result.driven_bandwidth));
}

Value engine_of(const CollectiveResult& result) {
  const comm::EngineLimits& engine = result.endpoint.engine;
  List partitions;
  for (const explain::PartitionUse& partition : result.engine.partitions) {
    partitions.push_back(Object{{"name", partition.name},
                                {"sram_B", or_unlimited(partition.room)},
                                {"sram_peak_B", partition.peak},
                                {"sram_mean_B", partition.mean},
                                {"fsms", or_unlimited(partition.machines)},
                                {"fsms_busy_share", partition.machines_busy}});
  }
  return Object{{"busy_share", result.engine.busy},
                {"sram_B", or_unlimited(engine.sram)},
                {"sram_peak_B", result.engine.peak},
                {"fsms", or_unlimited(engine.fsms)},
                {"fsms_busy_share", result.engine.machines_busy},
                {"alus_Bps", or_unlimited(engine.alus)},
                {"split", enum_name(engine.split)},
                {"order", enum_name(engine.order)},
                {"partitions", std::move(partitions)}};
}

// "6 cores at 478.1 GB/s, 450 GB/s of memory, paper accounting"
std::string endpoint_text(const comm::Endpoint& endpoint) {
  const std::string what =
      endpoint.executor == comm::Executor::kEngine
          ? fmt::format("engine, {}, {}", to_text(endpoint.area), to_text(endpoint.power))
          : fmt::format("{:.15g} cores at {}", endpoint.cores, to_text(endpoint.cores_move));
  return fmt::format("{}, {} of memory, {} accounting",
                     what,
                     to_text(endpoint.memory),
                     enum_name(endpoint.accounting));
}

// "98 %, SRAM peak 3.2 MB of 4.194 MB, 7 + 1 + 1 + 7 state machines at 45 %"
std::string engine_text(const CollectiveResult& result) {
  std::string machines;
  for (const explain::PartitionUse& partition : result.engine.partitions) {
    if (partition.machines > 0.0) {
      machines += fmt::format("{}{:.15g}", machines.empty() ? "" : " + ", partition.machines);
    }
  }
  return fmt::format("{:.3g} %, SRAM peak {} of {}, {} state machines at {:.3g} %",
                     result.engine.busy * 100.0,
                     to_text(result.engine.peak),
                     to_text(result.endpoint.engine.sram),
                     machines,
                     result.engine.machines_busy * 100.0);
}

void add_endpoint(const CollectiveResult& result, Document& document) {
  const comm::Endpoint& endpoint = result.endpoint;
  if (endpoint.executor == comm::Executor::kIdeal) {
    return;
  }
  const bool engine = !result.engine.partitions.empty();
  if (result.time > Seconds(0.0)) {
    const Bytes moved = result.read_per_device + result.written_per_device;
    document.add(Field{.label = "endpoint", .text = endpoint_text(endpoint)});
    document.add(Field{.label = "memory per device",
                       .text = fmt::format("{} read, {} written",
                                           to_text(result.read_per_device),
                                           to_text(result.written_per_device)),
                       .note = fmt::format("at {}", to_text(moved / result.time))});
    document.add(Field{.label = "engine utilization", .text = engine ? engine_text(result) : ""});
  }
  document.add("endpoint",
               Object{{"executor", enum_name(endpoint.executor)},
                      {"accounting", enum_name(endpoint.accounting)},
                      {"engine_area_m2", endpoint.area},
                      {"engine_power_W", endpoint.power},
                      {"cores", endpoint.cores},
                      {"cores_move_Bps", or_unlimited(endpoint.cores_move)},
                      {"memory_Bps", or_unlimited(endpoint.memory)},
                      {"bus_Bps", or_unlimited(endpoint.bus)},
                      {"read_per_device_B", result.read_per_device},
                      {"written_per_device_B", result.written_per_device},
                      {"engine", engine ? engine_of(result) : Value()}});
}

void add_simulated(const CollectiveResult& result, Document& document) {
  const std::string ranks =
      result.simulated_ranks < result.devices
          ? fmt::format("{} for {} devices",
                        count_text(result.simulated_ranks, "class", "classes"),
                        result.devices)
          : fmt::format("all {}", count_text(result.devices, "device", "devices"));
  document.add(
      Field{.key = "events",
            .value = result.events,
            .label = result.time > Seconds(0.0) ? "simulated" : "",
            .text = fmt::format("{}, {}", ranks, count_text(result.events, "event", "events"))});
  document.add("simulated_ranks", result.simulated_ranks);
}

// Text shows only links with traffic.
void add_links(const CollectiveResult& result, Document& document) {
  Table table{
      .key = "links",
      .columns = {{.key = "name"},
                  {.label = "busiest links", .align = Align::kLeft, .widest = 40, .numbered = true},
                  {.key = "kind"},
                  {.key = "members", .label = "count"},
                  {.key = "bandwidth_Bps", .label = "bandwidth"},
                  {.key = "carried_B", .label = "traffic"},
                  {.key = "utilization", .label = "utilization", .show = Show::kBarAndPercent}},
      .shown = 5};
  for (const LinkLoad& link : result.links) {
    const bool injection = link.kind == ResourceKind::kInjection;
    table.rows.push_back({link.name,
                          injection ? "injection of " + link.name : link.name,
                          enum_name(link.kind),
                          link.members,
                          link.bandwidth,
                          link.traffic,
                          link.utilization});
    table.hidden.push_back(link.traffic <= Bytes(0.0) || result.time <= Seconds(0.0));
  }
  document.add(std::move(table));
}

void add_timeline(const CollectiveResult& result, Document& document) {
  constexpr std::size_t kMaxLinks = 8;  // shown in the timeline
  const CollectiveRows placed = rows_of(result);
  const std::vector<LinkBusyInterval> busy = link_busy_intervals(result, kMaxLinks);
  if (placed.spans.empty() && busy.empty()) {
    return;
  }
  Table classes{.key = "device_classes", .columns = {{"name"}}, .detail = true};
  for (const std::string& group : placed.groups) {
    classes.rows.push_back({group});
  }
  Table spans{
      .key = "timeline",
      .columns = {{"name"}, {"kind"}, {"row"}, {"device_class"}, {"begin_s"}, {"end_s"}, {"chunk"}},
      .detail = true};
  for (const PlacedSpan& each : placed.spans) {
    spans.rows.push_back({each.span->name,
                          "collective",
                          placed.rows[each.row],
                          each.group,
                          each.span->begin,
                          each.span->end,
                          each.span->chunk});
  }
  // Links belong to no device and follow the devices.
  if (!busy.empty()) {
    classes.rows.push_back({"links, busiest first"});
  }
  for (const LinkBusyInterval& each : busy) {
    spans.rows.push_back({count_text(each.messages, "message", "messages"),
                          "link",
                          "link: " + each.link,
                          placed.groups.size(),
                          each.begin,
                          each.end,
                          {}});
  }
  document.add(std::move(classes));
  document.add(std::move(spans));
}

std::vector<Value> size_row(const CollectiveResult& result) {
  constexpr int kAllDigits = 15;
  const bool takes_time = result.time > Seconds(0.0);
  const auto number = [](double value) {
    return value >= 1e9 ? many(value) : fmt::format("{:.2f}", value);
  };
  const auto if_timed = [&](double value) { return takes_time ? number(value) : "-"; };
  const bool by_link = result.bound.kind == explain::BoundKind::kLink;  // its name says it
  return {many(result.size.si(), kAllDigits),
          result.algorithm + (result.protocol.empty() ? "" : ", " + result.protocol),
          number(result.time.si() * 1e6),
          if_timed(result.algorithm_bandwidth.si() / 1e9),
          if_timed(result.bus_bandwidth.si() / 1e9),
          number(result.lower_bound.si() * 1e6),
          takes_time ? fmt::format("{:.1f}", result.lower_bound / result.time * 100.0) : "-",
          by_link ? result.bound.resource : result.bound.text};
}

}  // namespace

Document document_of(const CollectiveResult& result, const platform::Platform* detail) {
  Document document{.verb = "collective", .title = title(result, " of " + to_text(result.size))};
  document.add("platform", result.platform);
  document.add("op", comm::info(result.op).name);
  document.add("size_B", result.size);
  document.add("devices", result.devices);
  add_time(result, document);
  add_endpoint(result, document);
  add_simulated(result, document);
  add_links(result, document);
  if (detail != nullptr) {
    document.add(
        Field{.key = "platform_graph",
              .value = graph_value(*detail, {result.traffic_by_link, result.link_utilization}),
              .detail = true});
    add_timeline(result, document);
  }
  return document;
}

Document document_of(std::span<const CollectiveResult> results) {
  ensure(!results.empty(), "a table of no results");
  Document document{.verb = "collective", .title = title(results.front(), "")};
  List list;
  Table table{.columns = {{.label = "size"},
                          {.label = "algorithm", .align = Align::kLeft, .widest = 18},
                          {.label = "time"},
                          {.label = "algbw"},
                          {.label = "busbw"},
                          {.label = "lower bound"},
                          {.label = "% of"},
                          {.label = "bound by", .align = Align::kLeft, .widest = kRestOfLine}},
              .rows = {{"(B)", "", "(us)", "(GB/s)", "(GB/s)", "(us)", "bound", ""}}};
  for (const CollectiveResult& result : results) {
    list.emplace_back(std::make_shared<const Document>(document_of(result)));
    table.rows.push_back(size_row(result));
  }
  document.add("results", std::move(list));
  document.add(std::move(table));
  return document;
}

}  // namespace cairn::report
