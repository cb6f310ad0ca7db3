#include "cairn/platform/backing_store.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace cairn::platform {

namespace {

// Consecutive links from the device to a memory-node.
using Path = std::vector<Id<Link>>;

// A memory-node near the device, and the paths to it.
struct Neighbour {
  Id<Node> node;
  std::vector<Path> paths;
};

void add_path(const Graph& graph, Path path, std::vector<Neighbour>& found) {
  const Id<Node> to = graph.link(path.back()).to;
  auto neighbour = std::ranges::find(found, to, &Neighbour::node);
  if (neighbour == found.end()) {
    neighbour = found.insert(found.end(), {.node = to, .paths = {}});
  }
  neighbour->paths.push_back(std::move(path));
}

// Nodes of a kind directly connected to `from`, or if there are none, those behind a shared switch.
std::vector<Neighbour> nodes_near(const Graph& graph, Id<Node> from, NodeKind kind) {
  std::vector<Neighbour> found;
  for (const Id<Link> link : graph.links_out(from)) {
    if (graph.class_of(graph.link(link).to).kind == kind) {
      add_path(graph, {link}, found);
    }
  }
  if (!found.empty()) {
    return found;
  }
  for (const Id<Link> link : graph.links_out(from)) {
    const Id<Node> between = graph.link(link).to;
    if (graph.class_of(between).kind != NodeKind::kSwitch) {
      continue;
    }
    for (const Id<Link> onward : graph.links_out(between)) {
      if (graph.class_of(graph.link(onward).to).kind == kind) {
        add_path(graph, {link, onward}, found);
      }
    }
  }
  return found;
}

BytesPerSecond bandwidth_of(const Graph& graph, const Path& path) {
  BytesPerSecond least = BytesPerSecond::infinity();
  for (const Id<Link> link : path) {
    least = std::min(least, graph.class_of(link).bandwidth);
  }
  return least;
}

BytesPerSecond bandwidth_of(const Graph& graph, const Neighbour& neighbour) {
  BytesPerSecond sum{0.0};
  for (const Path& path : neighbour.paths) {
    sum += bandwidth_of(graph, path);
  }
  return sum;
}

// Ring distance from the device: memory-node n is at 0 for device n. Breaks ties in the same path
// for all devices.
std::uint32_t ring_distance(const Graph& graph, Id<Node> device, Id<Node> memory_node) {
  const auto count = static_cast<std::uint32_t>(graph.devices().size());
  return (graph.node(memory_node).ordinal + count - graph.node(device).ordinal % count) % count;
}

// A route over all paths at once, each with its share of the bandwidth.
Route over_all_paths(const Graph& graph, const Neighbour& neighbour, bool outward) {
  const BytesPerSecond all = bandwidth_of(graph, neighbour);
  Route route;
  for (const Path& path : neighbour.paths) {
    const double share = bandwidth_of(graph, path) / all;
    Seconds latency{0.0};
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Id<Link> link = outward ? path[i] : reverse(path[path.size() - 1 - i]);
      route.hops.push_back({.link = link, .share = share});
      latency += graph.class_of(link).latency;
    }
    route.latency = std::max(route.latency, latency);
  }
  return route;
}

// The group of the node's memory that serves the device: groups are assigned in rank order to the
// devices near the node.
std::uint32_t group_of(const Graph& graph, Id<Node> node, Id<Node> device) {
  std::vector<Id<Node>> devices;
  for (const Neighbour& near : nodes_near(graph, node, NodeKind::kDevice)) {
    devices.push_back(near.node);
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
                                     PagePlacement placement) {
  const Graph& graph = platform.graph;
  const bool any = std::ranges::any_of(graph.node_classes(), [](const NodeClass& node_class) {
    return node_class.kind == NodeKind::kMemoryNode || node_class.kind == NodeKind::kHostSocket;
  });
  if (!any) {
    return {};
  }
  const Id<Node> here = graph.devices()[device];
  std::vector<Neighbour> neighbours = nodes_near(graph, here, NodeKind::kMemoryNode);
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
  if (placement == PagePlacement::kLocal) {
    std::ranges::sort(neighbours, [&](const Neighbour& a, const Neighbour& b) {
      const BytesPerSecond of_a = bandwidth_of(graph, a);
      const BytesPerSecond of_b = bandwidth_of(graph, b);
      return of_a != of_b ? of_a > of_b
                          : ring_distance(graph, here, a.node) < ring_distance(graph, here, b.node);
    });
    neighbours.erase(neighbours.begin() + 1, neighbours.end());
  }
  BytesPerSecond all{0.0};
  for (const Neighbour& neighbour : neighbours) {
    all += bandwidth_of(graph, neighbour);
  }
  for (const Neighbour& neighbour : neighbours) {
    parts.push_back(part_of(graph, neighbour.node, here, bandwidth_of(graph, neighbour) / all));
    parts.back().out = over_all_paths(graph, neighbour, true);
    parts.back().in = over_all_paths(graph, neighbour, false);
  }
  return parts;
}

}  // namespace cairn::platform
