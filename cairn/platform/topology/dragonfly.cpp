#include "cairn/platform/topology/dragonfly.hpp"

#include <fmt/format.h>

#include "cairn/platform/topology/source.hpp"

namespace cairn::platform::topology {

namespace {

// Two global cables must cost more than local + global + local, or routes would pass through a
// third group: 2 c > 2 + c.
constexpr std::uint32_t kGlobalCost = 3;

void check(const Dragonfly& parameters, const Config& source) {
  const auto& [groups, routers, devices, global_links, bandwidth, latency] = parameters;
  check_size(source, "devices", size_of(parameters));
  const double ports = product({routers, global_links});
  if (ports < static_cast<double>(groups - 1)) {
    reject_key(
        source,
        "global_links",
        fmt::format("{} routers with {} global links reach {:.0f} other groups (expected {})",
                    routers,
                    global_links,
                    ports,
                    groups - 1));
  }
}

// Port k of group g connects to port k' of the group 1 + k mod (groups - 1) further on; seen from
// there, g is groups - 1 - k mod (groups - 1) further on, in the same round of ports.
void add_global_cables(const Dragonfly& parameters,
                       const std::vector<Id<Node>>& routers,
                       Id<LinkClass> global,
                       Graph& graph) {
  const std::uint64_t others = parameters.groups - 1;
  const std::uint64_t ports = parameters.routers * parameters.global_links;
  const std::uint64_t used_ports = others == 0 ? 0 : ports / others * others;
  const auto router_of = [&](std::uint64_t group, std::uint64_t port) {
    return routers[group * parameters.routers + port / parameters.global_links];
  };
  for (std::uint64_t g = 0; g < parameters.groups; ++g) {
    for (std::uint64_t port = 0; port < used_ports; ++port) {
      const std::uint64_t peer = (g + 1 + port % others) % parameters.groups;
      const std::uint64_t peer_port = port / others * others + (others - 1 - port % others);
      if (g < peer) {
        graph.add_cable(router_of(g, port), router_of(peer, peer_port), global);
      }
    }
  }
}

}  // namespace

const Schema<Dragonfly>& schema_of(const Dragonfly*) {
  static const auto kSchema =
      Schema<Dragonfly>("dragonfly", "groups of routers connected by global cables")
          .required("groups", &Dragonfly::groups, "number of groups", "9")
          .at_least(1)
          .required("routers", &Dragonfly::routers, "routers per group, connected all-to-all", "4")
          .at_least(1)
          .required("devices", &Dragonfly::devices, "devices per router", "2")
          .at_least(1)
          .required("global_links", &Dragonfly::global_links, "global cables per router", "2")
          .required("bandwidth",
                    &Dragonfly::bandwidth,
                    "link bandwidth, per direction: one value, or device, local and global",
                    "25 GB/s")
          .positive()
          .optional("latency",
                    &Dragonfly::latency,
                    "link latency: one value, or device, local and global")
          .not_negative();
  return kSchema;
}

Size size_of(const Dragonfly& parameters) {
  const auto& [groups, routers, devices, global_links, bandwidth, latency] = parameters;
  const double all_routers = product({groups, routers});
  const double all_devices = all_routers * static_cast<double>(devices);
  return {.devices = all_devices,
          .nodes = all_devices + all_routers,
          .cables = all_devices + all_routers * static_cast<double>(routers - 1) / 2.0 +
                    all_routers * static_cast<double>(global_links) / 2.0};
}

Platform make_dragonfly(const Dragonfly& parameters, const Config& source) {
  const auto bandwidth = one_each(source, "bandwidth", parameters.bandwidth, 3);
  const auto latency = one_each(source, "latency", parameters.latency, 3);
  check(parameters, source);
  const std::uint64_t all_routers = parameters.groups * parameters.routers;
  Platform platform;
  Graph& graph = platform.graph;
  platform.dims = {static_cast<std::uint32_t>(parameters.devices),
                   static_cast<std::uint32_t>(parameters.routers),
                   static_cast<std::uint32_t>(parameters.groups)};
  platform.routing = Routing::kShortest;
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  const auto hub = graph.add_node_class({.kind = NodeKind::kSwitch, .name = "router"});
  const auto up = graph.add_link_class({"device up", bandwidth[0], latency[0]});
  const auto down = graph.add_link_class({"device down", bandwidth[0], latency[0]});
  const auto local = graph.add_link_class({"local", bandwidth[1], latency[1]});
  const auto global = graph.add_link_class(
      {.name = "global", .bandwidth = bandwidth[2], .latency = latency[2], .cost = kGlobalCost});
  for (std::uint64_t d = 0; d < all_routers * parameters.devices; ++d) {
    graph.add_node(device);
  }
  std::vector<Id<Node>> routers;
  routers.reserve(all_routers);
  for (std::uint64_t r = 0; r < all_routers; ++r) {
    routers.push_back(graph.add_node(hub));
    for (std::uint64_t d = 0; d < parameters.devices; ++d) {
      graph.add_cable(graph.devices()[r * parameters.devices + d], routers[r], up, down);
    }
  }
  for (std::uint64_t a = 0; a < all_routers; ++a) {
    for (std::uint64_t b = a + 1; b % parameters.routers != 0; ++b) {
      graph.add_cable(routers[a], routers[b], local);
    }
  }
  add_global_cables(parameters, routers, global, graph);
  graph.index_links();
  return platform;
}

}  // namespace cairn::platform::topology
