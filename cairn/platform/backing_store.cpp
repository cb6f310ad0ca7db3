#include "cairn/platform/backing_store.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace cairn::platform {

namespace {

// A memory-node next to the device, and the links that lead there.
struct Neighbour {
  Id<Node> node;
  std::vector<Id<Link>> links;
  BytesPerSecond bandwidth{0.0};
};

std::vector<Neighbour> memory_nodes_beside(const Graph& graph, Id<Node> device) {
  std::vector<Neighbour> found;
  for (const Id<Link> id : graph.links_out(device)) {
    const Id<Node> to = graph.link(id).to;
    if (graph.class_of(to).kind != NodeKind::kMemoryNode) {
      continue;
    }
    auto neighbour = std::ranges::find(found, to, &Neighbour::node);
    if (neighbour == found.end()) {
      neighbour = found.insert(found.end(), {.node = to, .links = {}});
    }
    neighbour->links.push_back(id);
    neighbour->bandwidth += graph.class_of(id).bandwidth;
  }
  return found;
}

// How far round from the device: memory-node n is at 0 for device n. Decides between equals, alike
// for all devices.
std::uint32_t steps_round(const Graph& graph, Id<Node> device, Id<Node> memory_node) {
  const auto count = static_cast<std::uint32_t>(graph.devices().size());
  return (graph.node(memory_node).ordinal + count - graph.node(device).ordinal % count) % count;
}

// Over parallel links at once, each with its part of the bandwidth.
Route over_all(const Graph& graph, const Neighbour& neighbour, bool outward) {
  Route route;
  for (const Id<Link> outgoing : neighbour.links) {
    const Id<Link> link = outward ? outgoing : reverse(outgoing);
    route.hops.push_back(
        {.link = link, .share = graph.class_of(outgoing).bandwidth / neighbour.bandwidth});
    route.latency = std::max(route.latency, graph.class_of(link).latency);
  }
  return route;
}

// Which group of the node's memory is the device's: the groups go to the devices beside the node in
// rank order.
std::uint32_t group_of(const Graph& graph, Id<Node> node, Id<Node> device) {
  std::vector<Id<Node>> devices;
  for (const Id<Link> link : graph.links_out(node)) {
    const Id<Node> to = graph.link(link).to;
    if (graph.class_of(to).kind == NodeKind::kDevice &&
        std::ranges::find(devices, to) == devices.end()) {
      devices.push_back(to);
    }
  }
  std::ranges::sort(devices);
  const auto place = std::ranges::find(devices, device) - devices.begin();
  return static_cast<std::uint32_t>(place) % graph.class_of(node).memory.groups;
}

StorePart part_of(const Graph& graph, Id<Node> node, Id<Node> device, double share) {
  const NodeMemory& memory = graph.class_of(node).memory;
  return {.node = node,
          .group = group_of(graph, node, device),
          .share = share,
          .bandwidth = memory.bandwidth / static_cast<double>(memory.groups),
          .capacity = memory.capacity / static_cast<double>(memory.groups),
          .latency = memory.latency};
}

std::optional<Id<Node>> nearest_socket(const Platform& platform, Router& router, Id<Node> device) {
  const Graph& graph = platform.graph;
  std::optional<Id<Node>> nearest;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    const Id<Node> node(n);
    if (graph.class_of(node).kind != NodeKind::kHostSocket) {
      continue;
    }
    std::size_t hops = 0;
    for (const Hop& hop : router.route(device, node).hops) {
      hops += graph.class_of(hop.link).cost;
    }
    if (hops < fewest) {
      fewest = hops;
      nearest = node;
    }
  }
  return nearest;
}

}  // namespace

std::vector<StorePart> backing_store(const Platform& platform,
                                     std::uint32_t device,
                                     Placement placement) {
  const Graph& graph = platform.graph;
  const Id<Node> here = graph.devices()[device];
  std::vector<Neighbour> neighbours = memory_nodes_beside(graph, here);
  std::vector<StorePart> parts;
  if (neighbours.empty()) {
    Router router(platform);
    if (const auto socket = nearest_socket(platform, router, here)) {
      parts.push_back(part_of(graph, *socket, here, 1.0));
      parts.back().out = router.route(here, *socket);
      parts.back().in = router.route(*socket, here);
    }
    return parts;
  }
  if (placement == Placement::kLocal) {
    std::ranges::sort(neighbours, [&](const Neighbour& a, const Neighbour& b) {
      return a.bandwidth != b.bandwidth
                 ? a.bandwidth > b.bandwidth
                 : steps_round(graph, here, a.node) < steps_round(graph, here, b.node);
    });
    neighbours.erase(neighbours.begin() + 1, neighbours.end());
  }
  BytesPerSecond all{0.0};
  for (const Neighbour& neighbour : neighbours) {
    all += neighbour.bandwidth;
  }
  for (const Neighbour& neighbour : neighbours) {
    parts.push_back(part_of(graph, neighbour.node, here, neighbour.bandwidth / all));
    parts.back().out = over_all(graph, neighbour, true);
    parts.back().in = over_all(graph, neighbour, false);
  }
  return parts;
}

}  // namespace cairn::platform
