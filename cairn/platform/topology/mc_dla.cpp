#include "cairn/platform/topology/mc_dla.hpp"

#include <vector>

#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/topology/dgx1.hpp"

namespace cairn::platform::topology {

namespace {

constexpr std::uint32_t kDevices = 8;

// Devices and as many memory-nodes, without cables.
struct Nodes {
  std::vector<Id<Node>> device;
  std::vector<Id<Node>> memory;
};

Nodes add_nodes(Graph& graph,
                std::uint32_t count,
                const MemoryNode& memory_node,
                Bytes store_and_forward) {
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  const auto memory = graph.add_node_class({.kind = NodeKind::kMemoryNode,
                                            .name = "memory-node",
                                            .store_and_forward = store_and_forward,
                                            .memory = memory_of(memory_node)});
  Nodes nodes;
  for (std::uint32_t i = 0; i < count; ++i) {
    nodes.device.push_back(graph.add_node(device));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    nodes.memory.push_back(graph.add_node(memory));
  }
  return nodes;
}

// New cables around the closed walk `stops`.
Ring add_ring(Graph& graph, const std::vector<Id<Node>>& stops, Id<LinkClass> link) {
  Ring ring;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    ring.links.push_back(graph.add_cable(stops[i], stops[(i + 1) % stops.size()], link));
  }
  return ring;
}

std::vector<Id<Node>> devices_in_order(const Nodes& nodes,
                                       const std::array<std::uint32_t, kDevices>& order) {
  std::vector<Id<Node>> stops;
  stops.reserve(order.size());
  for (const std::uint32_t rank : order) {
    stops.push_back(nodes.device[rank]);
  }
  return stops;
}

template <class AddRings>
Platform make_star(const MemoryCentric& parameters, const Config& source, AddRings add_rings) {
  check_memory_node(parameters.memory_node, source);
  Platform platform;
  platform.dims = {kDevices};
  platform.routing = Routing::kMultipath;
  Graph& graph = platform.graph;
  const Nodes nodes =
      add_nodes(graph, kDevices, parameters.memory_node, parameters.store_and_forward);
  const auto link = graph.add_link_class({"link", parameters.bandwidth, parameters.latency});
  add_rings(platform, nodes, link);
  add_ring(graph, nodes.memory, link);  // on no ring of devices: idle
  graph.index_links();
  return platform;
}

}  // namespace

const Schema<MemoryCentric>& schema_of(const MemoryCentric*) {
  static const auto kSchema =
      Schema<MemoryCentric>("mc_dla_star", "eight devices and eight memory-nodes, star (7a, 7b)")
          .optional("bandwidth", &MemoryCentric::bandwidth, "link bandwidth, per direction")
          .positive()
          .optional("latency", &MemoryCentric::latency, "link latency")
          .not_negative()
          .optional("memory_node", &MemoryCentric::memory_node, "DIMMs and groups of a memory-node")
          .optional("store_and_forward",
                    &MemoryCentric::store_and_forward,
                    "bytes of a message that a memory-node buffers before forwarding")
          .not_negative();
  return kSchema;
}

Platform make_mc_dla_star_a(const MemoryCentric& parameters, const Config& source) {
  return make_star(
      parameters, source, [](Platform& platform, const Nodes& nodes, Id<LinkClass> link) {
        std::vector<Id<Node>> long_ring;
        for (std::uint32_t n = 0; n < kDevices; ++n) {
          long_ring.insert(long_ring.end(), {nodes.memory[n], nodes.device[n], nodes.memory[n]});
        }
        for (const std::size_t ring : {1U, 2U}) {
          platform.rings.push_back(
              add_ring(platform.graph, devices_in_order(nodes, kCubeMeshRings[ring]), link));
        }
        platform.rings.push_back(add_ring(platform.graph, long_ring, link));
      });
}

Platform make_mc_dla_star_b(const MemoryCentric& parameters, const Config& source) {
  return make_star(
      parameters, source, [](Platform& platform, const Nodes& nodes, Id<LinkClass> link) {
        // The pairs of devices 2i, 2i+1 are followed by memory-node 2i+2 on the second ring and by
        // 2i+1, 2i+2, 2i+3 on the third.
        std::vector<Id<Node>> second;
        std::vector<Id<Node>> third;
        for (std::uint32_t n = 0; n < kDevices; n += 2) {
          const auto memory = [&](std::uint32_t k) { return nodes.memory[(n + k) % kDevices]; };
          second.insert(second.end(), {nodes.device[n], nodes.device[n + 1], memory(2)});
          third.insert(third.end(),
                       {nodes.device[n], nodes.device[n + 1], memory(1), memory(2), memory(3)});
        }
        platform.rings.push_back(
            add_ring(platform.graph, devices_in_order(nodes, kCubeMeshRings[0]), link));
        platform.rings.push_back(add_ring(platform.graph, second, link));
        platform.rings.push_back(add_ring(platform.graph, third, link));
      });
}

const Schema<MemoryRing>& schema_of(const MemoryRing*) {
  static const auto kSchema =
      Schema<MemoryRing>("mc_dla_ring", "devices alternating with memory-nodes on rings (7c)")
          .optional("devices", &MemoryRing::devices, "number of devices, and of memory-nodes")
          .at_least(1)
          .optional("rings", &MemoryRing::rings, "number of rings")
          .at_least(1)
          .optional("bandwidth", &MemoryRing::bandwidth, "link bandwidth, per direction")
          .positive()
          .optional("latency", &MemoryRing::latency, "link latency")
          .not_negative()
          .optional("memory_node", &MemoryRing::memory_node, "DIMMs and groups of a memory-node")
          .optional("store_and_forward",
                    &MemoryRing::store_and_forward,
                    "bytes of a message that a memory-node buffers before forwarding")
          .not_negative();
  return kSchema;
}

Size size_of(const MemoryRing& parameters) {
  const auto devices = static_cast<double>(parameters.devices);
  return {.devices = devices,
          .nodes = 2.0 * devices,
          .cables = 2.0 * devices * static_cast<double>(parameters.rings)};
}

Platform make_mc_dla_ring(const MemoryRing& parameters, const Config& source) {
  check_size(source, "devices", size_of(parameters));
  check_memory_node(parameters.memory_node, source);
  const auto count = static_cast<std::uint32_t>(parameters.devices);
  Platform platform;
  Graph& graph = platform.graph;
  platform.dims = {count};
  platform.routing = Routing::kMultipath;
  platform.shift_symmetric = true;
  const Nodes nodes = add_nodes(graph, count, parameters.memory_node, parameters.store_and_forward);
  for (std::uint64_t r = 0; r < parameters.rings; ++r) {
    const auto link_class = [&](const char* what) {
      return graph.add_link_class(
          {"ring " + std::to_string(r) + what, parameters.bandwidth, parameters.latency});
    };
    const auto to_memory_up = link_class(" D>M+");
    const auto from_memory_down = link_class(" M>D-");
    const auto from_memory_up = link_class(" M>D+");
    const auto to_memory_down = link_class(" D>M-");
    Ring ring;
    for (std::uint32_t n = 0; n < count; ++n) {
      const Id<Node> memory = nodes.memory[n];
      const Id<Node> next = nodes.device[(n + 1) % count];
      ring.links.push_back(
          graph.add_cable(nodes.device[n], memory, to_memory_up, from_memory_down));
      ring.links.push_back(graph.add_cable(memory, next, from_memory_up, to_memory_down));
    }
    platform.rings.push_back(std::move(ring));
  }
  graph.index_links();
  mark_symmetric_rings(platform);
  return platform;
}

}  // namespace cairn::platform::topology
