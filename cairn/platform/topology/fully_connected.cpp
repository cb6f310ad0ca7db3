#include "cairn/platform/topology/fully_connected.hpp"

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/platform/ring_walk.hpp"

namespace cairn::platform::topology {

namespace {

// For 2p + 1 vertices, 0 .. 2p - 1 and a centre 2p: cycle i is the centre and then the zigzag i,
// i + 1, i - 1, i + 2, ..., i + p modulo 2p. Its edges besides the centre's are those whose ends
// add up to 2i or 2i + 1 modulo 2p, so no two cycles share one.
std::vector<std::vector<std::uint32_t>> odd_cycles(std::uint32_t p) {
  std::vector<std::vector<std::uint32_t>> cycles(p);
  for (std::uint32_t i = 0; i < p; ++i) {
    cycles[i] = {2 * p, i};
    for (std::uint32_t step = 1; step <= p; ++step) {
      cycles[i].push_back((i + step) % (2 * p));
      if (step < p) {
        cycles[i].push_back((i + 2 * p - step) % (2 * p));
      }
    }
  }
  return cycles;
}

// One edge of each of the p cycles above such that no two share a vertex: edge {x, x + 1} is in
// cycle x modulo p, {centre, i + p} in cycle i.
std::vector<std::pair<std::uint32_t, std::uint32_t>> matching_across(std::uint32_t p) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges(p);
  if (p % 2 == 1) {
    for (std::uint32_t x = 0; x < 2 * p; x += 2) {
      edges[x % p] = {x, x + 1};
    }
    return edges;
  }
  for (std::uint32_t x = 0; x < p; x += 2) {
    edges[x] = {x, x + 1};
  }
  for (std::uint32_t x = p + 1; x + 1 < 2 * p - 1; x += 2) {
    edges[x - p] = {x, x + 1};
  }
  edges[p - 1] = {2 * p, 2 * p - 1};
  return edges;
}

// Puts `vertex` between the two ends of an edge of the cycle.
void insert_into_edge(std::vector<std::uint32_t>& cycle,
                      std::pair<std::uint32_t, std::uint32_t> edge,
                      std::uint32_t vertex) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::uint32_t a = cycle[i];
    const std::uint32_t b = cycle[(i + 1) % cycle.size()];
    if ((a == edge.first && b == edge.second) || (a == edge.second && b == edge.first)) {
      cycle.insert(cycle.begin() + static_cast<std::ptrdiff_t>(i) + 1, vertex);
      return;
    }
  }
  throw Bug("Walecki's cycle does not contain its matching edge");
}

// The link from device a to device b. The cables to the devices above 0 come first, then those from
// 1 to the devices above it, ...: n - 1, n - 2, ... of them.
Id<Link> link_between(std::uint64_t devices, std::uint64_t a, std::uint64_t b) {
  const auto [low, high] = std::minmax(a, b);
  const std::uint64_t cable = low * (devices - 1) - low * (low + 1) / 2 + high - 1;
  return Id<Link>(2 * cable + (a < b ? 0 : 1));
}

std::vector<Ring> rings_of(const Graph& graph) {
  const auto devices = static_cast<std::uint32_t>(graph.devices().size());
  std::vector<Ring> rings;
  for (auto& cycle : walecki_cycles(devices)) {
    std::ranges::rotate(cycle, std::ranges::find(cycle, 0U));
    Ring& ring = rings.emplace_back();
    ring.links.reserve(devices);
    for (std::uint32_t i = 0; i < devices; ++i) {
      ring.links.push_back(link_between(devices, cycle[i], cycle[(i + 1) % devices]));
    }
  }
  return rings;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> walecki_cycles(std::uint32_t count) {
  if (count < 3) {
    return {};
  }
  if (count % 2 == 1) {
    return odd_cycles((count - 1) / 2);
  }
  // The last vertex is inserted into one edge of each cycle of the others; as those edges share no
  // vertex, its neighbours differ each time.
  const std::uint32_t p = (count - 2) / 2;
  auto cycles = odd_cycles(p);
  const auto edges = matching_across(p);
  for (std::uint32_t i = 0; i < p; ++i) {
    insert_into_edge(cycles[i], edges[i], count - 1);
  }
  return cycles;
}

const Schema<FullyConnected>& schema_of(const FullyConnected*) {
  static const auto kSchema =
      Schema<FullyConnected>("fully_connected", "a cable between every two devices")
          .required("devices", &FullyConnected::devices, "number of devices", "8")
          .at_least(1)
          .required(
              "bandwidth", &FullyConnected::bandwidth, "link bandwidth, per direction", "25 GB/s")
          .positive()
          .optional("latency", &FullyConnected::latency, "link latency")
          .not_negative();
  return kSchema;
}

Size size_of(const FullyConnected& parameters) {
  const auto devices = static_cast<double>(parameters.devices);
  return {.devices = devices, .nodes = devices, .cables = devices * (devices - 1.0) / 2.0};
}

Platform make_fully_connected(const FullyConnected& parameters, const Config& source) {
  check_size(source, "devices", size_of(parameters));
  const auto count = static_cast<std::uint32_t>(parameters.devices);
  Platform platform;
  Graph& graph = platform.graph;
  platform.dims = {count};
  platform.shift_symmetric = true;
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  graph.reserve(count, std::size_t{count} * (count - 1) / 2);
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    graph.add_node(device);
  }
  for (std::uint32_t ahead = 1; ahead < count; ++ahead) {
    graph.add_link_class({.name = "+" + std::to_string(ahead),
                          .bandwidth = parameters.bandwidth,
                          .latency = parameters.latency});
  }
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      graph.add_cable(graph.devices()[a],
                      graph.devices()[b],
                      Id<LinkClass>(b - a - 1),
                      Id<LinkClass>(a + count - b - 1));
    }
  }
  graph.index_links();
  platform.rings = rings_of(graph);
  mark_symmetric_rings(platform);
  return platform;
}

}  // namespace cairn::platform::topology
