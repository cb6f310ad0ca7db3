#include "cairn/platform/topology/mc_dla_plane.hpp"

#include <vector>

#include "cairn/platform/topology/source.hpp"

namespace cairn::platform::topology {

namespace {

// Links of a device to switches, one per switch.
std::uint64_t switched_links(const MemoryPlane& parameters) {
  return parameters.links > parameters.memory_links ? parameters.links - parameters.memory_links
                                                    : 0;
}

// Device- and memory-nodes on each switch of a system node.
std::uint64_t nodes_per_switch(const MemoryPlane& parameters) {
  return parameters.memory_links == 0 ? 2 * parameters.devices : parameters.devices;
}

void check_links(const MemoryPlane& parameters, const Config& source) {
  if (parameters.memory_links >= parameters.links) {
    reject_key(source,
               "memory_links",
               "leaves no link to a switch (expected less than the " +
                   std::to_string(parameters.links) + " links of a device)");
  }
}

using Switches = std::vector<std::vector<Id<Node>>>;  // by system node

Id<LinkClass> add_link_class(Graph& graph,
                             const char* name,
                             BytesPerSecond bandwidth,
                             Seconds latency) {
  return graph.add_link_class({name, bandwidth, latency});
}

// Every device of a system node is on each of its switches.
Switches add_switches(Graph& graph,
                      const MemoryPlane& parameters,
                      Id<NodeClass> hub,
                      Id<LinkClass> up,
                      Id<LinkClass> down) {
  const auto devices = static_cast<std::uint32_t>(parameters.devices);
  Switches switches(parameters.system_nodes);
  for (std::uint32_t s = 0; s < switches.size(); ++s) {
    for (std::uint64_t k = 0; k < switched_links(parameters); ++k) {
      switches[s].push_back(graph.add_node(hub));
      for (std::uint32_t d = s * devices; d < (s + 1) * devices; ++d) {
        graph.add_cable(graph.devices()[d], switches[s].back(), up, down);
      }
    }
  }
  return switches;
}

// Plane switch k connects the k-th switches of all system nodes.
void join_system_nodes(Graph& graph, const MemoryPlane& parameters, const Switches& switches) {
  const auto plane = graph.add_node_class({.kind = NodeKind::kSwitch, .name = "plane switch"});
  const double cables =
      static_cast<double>(parameters.trunks.value_or(nodes_per_switch(parameters)));
  const Seconds latency =
      parameters.trunk_latency.value_or(parameters.latency) + parameters.switch_latency;
  const auto trunk_up = add_link_class(graph, "trunk up", parameters.bandwidth * cables, latency);
  const auto trunk_down =
      add_link_class(graph, "trunk down", parameters.bandwidth * cables, latency);
  for (std::size_t k = 0; k < switches.front().size(); ++k) {
    const Id<Node> top = graph.add_node(plane);
    for (const auto& of_system_node : switches) {
      graph.add_cable(of_system_node[k], top, trunk_up, trunk_down);
    }
  }
}

}  // namespace

const Schema<MemoryPlane>& schema_of(const MemoryPlane*) {
  using Plane = MemoryPlane;
  const auto has_trunks = [](const Plane& plane) { return plane.system_nodes > 1; };
  constexpr const char* kTrunks = "system_nodes above 1";
  static const auto kSchema =
      Schema<Plane>("mc_dla_plane", "system nodes on a plane of device-side switches (Fig. 15)")
          .optional("devices", &Plane::devices, "devices per system node, and memory-nodes")
          .at_least(1)
          .optional("system_nodes", &Plane::system_nodes, "number of system nodes")
          .at_least(1)
          .optional("links", &Plane::links, "links per device-node and memory-node")
          .at_least(1)
          .optional("bandwidth", &Plane::bandwidth, "link bandwidth, per direction")
          .positive()
          .optional("latency", &Plane::latency, "link latency")
          .not_negative()
          .optional("switch_latency", &Plane::switch_latency, "latency of a switch")
          .not_negative()
          .optional("trunks",
                    &Plane::trunks,
                    "bandwidth from a switch to the other system nodes, in links (default: its "
                    "links down)")
          .at_least(1)
          .used_if(has_trunks, kTrunks)
          .optional("trunk_latency", &Plane::trunk_latency, "trunk latency (default: link latency)")
          .not_negative()
          .used_if(has_trunks, kTrunks)
          .optional("memory_links",
                    &Plane::memory_links,
                    "links from a device directly to a memory-node of its own; with 0, "
                    "memory-nodes are on the switches")
          .optional("memory_node", &Plane::memory_node, "DIMMs and groups of a memory-node")
          .optional("system_node_power",
                    &Plane::system_node_power,
                    "power of a system node without devices and memory-nodes; overridden by "
                    "system_power, the total")
          .not_negative();
  return kSchema;
}

Size size_of(const MemoryPlane& parameters) {
  const auto devices = static_cast<double>(parameters.devices);
  const auto system_nodes = static_cast<double>(parameters.system_nodes);
  const auto switches = static_cast<double>(switched_links(parameters));
  const auto down = static_cast<double>(nodes_per_switch(parameters));
  const auto beside = static_cast<double>(parameters.memory_links);
  const bool joined = parameters.system_nodes > 1;
  return {
      .devices = devices * system_nodes,
      .nodes = system_nodes * (2.0 * devices + switches) + (joined ? switches : 0.0),
      .cables = system_nodes * (down * switches + devices * beside + (joined ? switches : 0.0))};
}

Platform make_mc_dla_plane(const MemoryPlane& parameters, const Config& source) {
  check_links(parameters, source);
  check_size(source, "system_nodes", size_of(parameters));
  check_memory_node(parameters.memory_node, source);
  const auto devices = static_cast<std::uint32_t>(parameters.devices);
  const auto system_nodes = static_cast<std::uint32_t>(parameters.system_nodes);
  const bool on_switches = parameters.memory_links == 0;
  Platform platform;
  Graph& graph = platform.graph;
  platform.dims = {devices, system_nodes};
  platform.system_power = parameters.system_node_power * static_cast<double>(system_nodes);
  platform.routing = Routing::kMultipath;
  platform.shift_symmetric = true;
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  const auto memory = graph.add_node_class({.kind = NodeKind::kMemoryNode,
                                            .name = "memory-node",
                                            .memory = memory_of(parameters.memory_node)});
  const auto hub = graph.add_node_class({.kind = NodeKind::kSwitch, .name = "switch"});
  const std::uint32_t count = devices * system_nodes;
  for (std::uint32_t d = 0; d < count; ++d) {
    graph.add_node(device);
  }
  std::vector<Id<Node>> memory_nodes;
  memory_nodes.reserve(count);
  for (std::uint32_t d = 0; d < count; ++d) {
    memory_nodes.push_back(graph.add_node(memory));
  }

  // A link that leads to a switch has the switch's latency too. Messages are split evenly over the
  // switches, so that links of one kind are one class whichever switch they lead to.
  const Seconds in = parameters.latency + parameters.switch_latency;
  const auto up = add_link_class(graph, "up", parameters.bandwidth, in);
  const auto down = add_link_class(graph, "down", parameters.bandwidth, parameters.latency);
  if (!on_switches) {
    const auto out = add_link_class(graph, "D>M", parameters.bandwidth, parameters.latency);
    const auto back = add_link_class(graph, "M>D", parameters.bandwidth, parameters.latency);
    for (std::uint32_t d = 0; d < count; ++d) {
      for (std::uint64_t l = 0; l < parameters.memory_links; ++l) {
        graph.add_cable(graph.devices()[d], memory_nodes[d], out, back);
      }
    }
  }
  const Switches switches = add_switches(graph, parameters, hub, up, down);
  if (on_switches) {
    const auto from_memory = add_link_class(graph, "M up", parameters.bandwidth, in);
    const auto to_memory =
        add_link_class(graph, "M down", parameters.bandwidth, parameters.latency);
    for (std::uint32_t d = 0; d < count; ++d) {
      for (const Id<Node> hub_of : switches[d / devices]) {
        graph.add_cable(memory_nodes[d], hub_of, from_memory, to_memory);
      }
    }
  }
  if (system_nodes > 1) {
    join_system_nodes(graph, parameters, switches);
  }
  graph.index_links();
  return platform;
}

}  // namespace cairn::platform::topology
