#include "cairn/platform/topology/host.hpp"

#include <algorithm>

namespace cairn::platform::topology {

std::vector<Id<Node>> add_sockets(Graph& graph,
                                  std::size_t devices,
                                  std::uint32_t per_socket,
                                  const SocketMemory& memory) {
  const auto socket =
      graph.add_node_class({.kind = NodeKind::kHostSocket,
                            .name = "host socket",
                            .memory = {.bandwidth = memory.bandwidth,
                                       .capacity = memory.capacity.value_or(Bytes::infinity()),
                                       .latency = memory.latency}});
  std::vector<Id<Node>> sockets;
  for (std::size_t first = 0; first < devices; first += per_socket) {
    sockets.push_back(graph.add_node(socket));
  }
  return sockets;
}

void add_host(Graph& graph, const HostSide& host) {
  const std::size_t devices = graph.devices().size();
  const auto sockets = add_sockets(graph, devices, host.devices_per_socket, host.memory);
  const auto hub = graph.add_node_class({.kind = NodeKind::kPcieSwitch, .name = "PCIe switch"});
  const auto pcie = graph.add_link_class({.name = "PCIe",
                                          .bandwidth = host.pcie_bandwidth,
                                          .latency = host.pcie_latency,
                                          .cost = kHostLinkCost});
  std::size_t end = 0;
  for (std::size_t first = 0; first < devices; first = end) {
    const std::size_t socket = first / host.devices_per_socket;
    end = std::min({devices,
                    first + host.devices_per_uplink,
                    (socket + 1) * std::size_t{host.devices_per_socket}});
    const Id<Node> pcie_switch = graph.add_node(hub);
    for (std::size_t rank = first; rank < end; ++rank) {
      graph.add_cable(graph.devices()[rank], pcie_switch, pcie);
    }
    graph.add_cable(pcie_switch, sockets[socket], pcie);
  }
}

}  // namespace cairn::platform::topology
