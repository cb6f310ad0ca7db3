#include "cairn/platform/topology/dc_dla.hpp"

#include <utility>

#include "cairn/platform/topology/host.hpp"

namespace cairn::platform::topology {

const Schema<DeviceCentric>& schema_of(const DeviceCentric*) {
  using P = DeviceCentric;
  static const auto kSchema =
      Schema<P>("dc_dla", "devices on rings, the host behind PCIe (DC-DLA)")
          .optional("devices", &P::devices, "number of devices")
          .at_least(1)
          .optional("rings", &P::rings, "number of rings")
          .at_least(1)
          .optional("bandwidth", &P::bandwidth, "bandwidth of a device link, per direction")
          .positive()
          .optional("latency", &P::latency, "latency of a device link")
          .not_negative()
          .optional("pcie_bandwidth", &P::pcie_bandwidth, "PCIe link bandwidth, per direction")
          .positive()
          .optional("pcie_latency", &P::pcie_latency, "PCIe link latency")
          .not_negative()
          .optional("devices_per_uplink", &P::devices_per_uplink, "devices per PCIe uplink")
          .at_least(1)
          .optional("devices_per_socket", &P::devices_per_socket, "devices per host socket")
          .at_least(1)
          .optional("socket_memory_bandwidth",
                    &P::socket_memory_bandwidth,
                    "memory bandwidth of a socket, reads and writes together")
          .positive()
          .optional("socket_memory_capacity",
                    &P::socket_memory_capacity,
                    "memory capacity of a socket (default: unlimited)")
          .positive()
          .optional("socket_memory_latency",
                    &P::socket_memory_latency,
                    "memory latency of a socket, until the first byte of a read")
          .not_negative();
  return kSchema;
}

// Per device: one cable per ring, one to the PCIe switch, and at most one for switch and socket.
Size size_of(const DeviceCentric& parameters) {
  const auto devices = static_cast<double>(parameters.devices);
  return {.devices = devices,
          .nodes = 3.0 * devices,
          .cables = devices * static_cast<double>(parameters.rings + 2)};
}

Platform make_dc_dla(const DeviceCentric& parameters, const Config& source) {
  check_size(source, "devices", size_of(parameters));
  const auto devices = static_cast<std::uint32_t>(parameters.devices);
  Platform platform;
  platform.dims = {devices};
  platform.routing = Routing::kMultipath;
  Graph& graph = platform.graph;
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  for (std::uint32_t rank = 0; rank < devices; ++rank) {
    graph.add_node(device);
  }
  const auto link = graph.add_link_class({"link", parameters.bandwidth, parameters.latency});
  for (std::uint64_t r = 0; devices > 1 && r < parameters.rings; ++r) {
    Ring ring;
    for (std::uint32_t rank = 0; rank < devices; ++rank) {
      ring.links.push_back(
          graph.add_cable(graph.devices()[rank], graph.devices()[(rank + 1) % devices], link));
    }
    platform.rings.push_back(std::move(ring));
  }
  add_host(graph,
           {.pcie_bandwidth = parameters.pcie_bandwidth,
            .pcie_latency = parameters.pcie_latency,
            .devices_per_uplink = parameters.devices_per_uplink,
            .devices_per_socket = parameters.devices_per_socket,
            .memory = {.bandwidth = parameters.socket_memory_bandwidth,
                       .capacity = parameters.socket_memory_capacity,
                       .latency = parameters.socket_memory_latency}});
  graph.index_links();
  return platform;
}

}  // namespace cairn::platform::topology
