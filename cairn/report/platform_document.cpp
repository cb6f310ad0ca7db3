#include "cairn/report/platform_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cairn/base/quantity_text.hpp"

namespace cairn::report {

namespace {

constexpr std::size_t kRingsShown = 16;

std::string plural(platform::NodeKind kind, std::uint32_t count) {
  const std::string_view one = platform::to_text(kind);
  const char* const ending = one.ends_with("ch") ? "es" : "s";
  return fmt::format("{}{}", one, count == 1 ? "" : ending);
}

std::string nodes_line(const platform::Facts& facts) {
  std::string text;
  for (std::size_t k = 0; k < facts.nodes.size(); ++k) {
    if (facts.nodes[k] > 0) {
      text += fmt::format("{}{} {}",
                          text.empty() ? "" : ", ",
                          facts.nodes[k],
                          plural(static_cast<platform::NodeKind>(k), facts.nodes[k]));
    }
  }
  return text;
}

// "3: 8, 8 and 24 hops", equal ones counted: "64: 16 hops each".
std::string rings_line(const std::vector<std::uint32_t>& hops) {
  if (hops.empty()) {
    return "none";
  }
  if (std::ranges::all_of(hops, [&](std::uint32_t h) { return h == hops.front(); })) {
    return fmt::format(
        "{} of {} hops{}", hops.size(), hops.front(), hops.size() > 1 ? " each" : "");
  }
  const std::size_t shown = std::min(hops.size(), kRingsShown);
  return fmt::format(
      "{} of {}{} hops",
      hops.size(),
      fmt::join(hops.begin(), hops.begin() + static_cast<std::ptrdiff_t>(shown), "/"),
      shown < hops.size() ? "/..." : "");
}

std::string dims_line(const platform::Platform& platform) {
  return fmt::format("{} ({} routing{})",
                     fmt::join(platform.dims, " x "),
                     platform::to_text(platform.routing),
                     platform.shift_symmetric ? ", symmetric: one device represents all" : "");
}

Table link_classes(const platform::Platform& platform) {
  Table table{.key = "link_classes",
              .columns = {{.key = "name", .label = "links", .align = Align::kLeft, .widest = 40},
                          {.key = "directions", .label = "count"},
                          {.key = "bandwidth_Bps", .label = "bandwidth"},
                          {.key = "latency_s", .label = "latency"}},
              .shown = 12};
  for (const platform::LinkClass& each : platform.graph.link_classes()) {
    if (each.count > 0) {
      table.rows.push_back({each.name, each.count, each.bandwidth, each.latency});
    }
  }
  return table;
}

// Protocols of islands are marked.
Table protocols(const platform::Platform& platform) {
  Table table{.key = "protocols",
              .columns = {{.key = "name"},
                          {.label = "protocol", .align = Align::kLeft, .widest = 20},
                          {.key = "ops"},
                          {.key = "algorithms"},
                          {.label = "collectives", .align = Align::kLeft, .widest = 30},
                          {.key = "start_s", .label = "start"},
                          {.key = "latency_s", .label = "latency"},
                          {.key = "efficiency", .label = "efficiency"},
                          {.key = "copy_Bps", .label = "copy"},
                          {.key = "island_devices"}}};
  for (const platform::Protocol& each : platform.protocols) {
    table.rows.push_back({each.name,
                          each.name + (each.island > 0 ? ", in islands" : ""),
                          each.ops,
                          each.algorithms,
                          each.ops.empty() ? "all" : fmt::format("{}", fmt::join(each.ops, ", ")),
                          each.start,
                          each.latency,
                          each.efficiency,
                          each.copy,
                          each.island == 0 ? Value(nullptr) : Value(each.island)});
  }
  return table;
}

Value nodes_by_kind(const platform::Facts& facts) {
  const auto count = [&](platform::NodeKind kind) {
    return facts.nodes[static_cast<std::size_t>(kind)];
  };
  return Object{{"devices", count(platform::NodeKind::kDevice)},
                {"memory_nodes", count(platform::NodeKind::kMemoryNode)},
                {"switches", count(platform::NodeKind::kSwitch)},
                {"host_sockets", count(platform::NodeKind::kHostSocket)},
                {"pcie_switches", count(platform::NodeKind::kPcieSwitch)}};
}

}  // namespace

Document document_of(const platform::Platform& platform, const platform::Facts& facts) {
  constexpr const char* kTooLarge = "not computed: platform too large";
  Document document{.verb = "platform", .title = platform.name};
  document.add("platform", platform.name);
  document.add(Field{.key = "nodes",
                     .value = platform.graph.nodes().size(),
                     .label = "nodes",
                     .text = nodes_line(facts)});
  document.add("nodes_by_kind", nodes_by_kind(facts));
  document.add(Field{.key = "links", .value = facts.links, .label = "links"});
  document.add(Field{
      .key = "dims", .value = platform.dims, .label = "dimensions", .text = dims_line(platform)});
  document.add("routing", platform::to_text(platform.routing));
  List rings;
  for (const std::uint32_t hops : facts.ring_hops) {
    rings.push_back(Object{{"hops", hops}});
  }
  document.add(Field{.key = "rings",
                     .value = std::move(rings),
                     .label = "rings",
                     .text = rings_line(facts.ring_hops)});
  document.add(Field{
      .key = "idle_links",
      .value = facts.idle_links,
      .label = facts.idle_links ? "idle links" : "",
      .text = facts.idle_links ? fmt::format("{} not used by any ring", *facts.idle_links) : ""});
  document.add(Field{.key = "diameter",
                     .value = facts.diameter,
                     .label = "diameter",
                     .text = facts.diameter ? fmt::format("{} {} between devices",
                                                          *facts.diameter,
                                                          *facts.diameter == 1 ? "link" : "links")
                                            : kTooLarge});
  const auto& bisection = facts.bisection;
  document.add(Field{.key = "bisection_Bps",
                     .value = bisection ? Value(bisection->bandwidth) : Value(nullptr),
                     .label = "bisection",
                     .text = bisection ? fmt::format("{} per direction ({})",
                                                     to_text(bisection->bandwidth),
                                                     bisection->method)
                                       : kTooLarge});
  document.add("bisection_method", bisection ? Value(bisection->method) : Value(nullptr));
  document.add(Field{.key = "device_to_memory_Bps",
                     .value = facts.device_to_memory,
                     .label = facts.device_to_memory ? "device to memory" : "",
                     .text = facts.device_to_memory ? to_text(*facts.device_to_memory) +
                                                          " from a device to its memory-nodes"
                                                    : ""});
  document.add(Field{.key = "memory_B",
                     .value = facts.memory,
                     .label = "simulator memory",
                     .text = to_text(facts.memory)});
  document.add(link_classes(platform));
  document.add(protocols(platform));
  return document;
}

}  // namespace cairn::report
