#include "cairn/platform/topology/dgx1.hpp"

#include <vector>

#include "cairn/platform/topology/host.hpp"
#include "cairn/platform/topology/source.hpp"

namespace cairn::platform::topology {

namespace {

constexpr std::uint32_t kDevices = 8;
constexpr std::uint32_t kDevicesPerSocket = 4;
constexpr double kLinks = 6.0;  // per device

Platform eight_devices() {
  Platform platform;
  platform.dims = {kDevices};
  platform.routing = Routing::kMultipath;
  const auto device = platform.graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  for (std::uint32_t rank = 0; rank < kDevices; ++rank) {
    platform.graph.add_node(device);
  }
  return platform;
}

void add_ring(Platform& platform, const std::array<std::uint32_t, 8>& order, Id<LinkClass> link) {
  Ring ring;
  for (std::size_t i = 0; i < order.size(); ++i) {
    ring.links.push_back(
        platform.graph.add_cable(platform.graph.devices()[order[i]],
                                 platform.graph.devices()[order[(i + 1) % order.size()]],
                                 link));
  }
  platform.rings.push_back(std::move(ring));
}

}  // namespace

const Schema<CubeMesh>& schema_of(const CubeMesh*) {
  const auto has_host = [](const CubeMesh& cube_mesh) { return cube_mesh.host; };
  constexpr const char* kHost = "host: true";
  static const auto kSchema =
      Schema<CubeMesh>("cube_mesh", "eight devices wired as DGX-1V, 24 cables in three rings")
          .optional("bandwidth", &CubeMesh::bandwidth, "link bandwidth, per direction")
          .positive()
          .optional("latency", &CubeMesh::latency, "link latency")
          .not_negative()
          .optional("host", &CubeMesh::host, "adds PCIe switches and two host sockets")
          .optional(
              "pcie_bandwidth", &CubeMesh::pcie_bandwidth, "PCIe link bandwidth, per direction")
          .positive()
          .used_if(has_host, kHost)
          .optional("devices_per_uplink",
                    &CubeMesh::devices_per_uplink,
                    "devices per PCIe switch, which share its link to the socket: 1, 2 or 4")
          .at_least(1)
          .at_most(kDevicesPerSocket)
          .used_if(has_host, kHost)
          .optional("pcie_latency", &CubeMesh::pcie_latency, "PCIe link latency")
          .not_negative()
          .used_if(has_host, kHost)
          .optional("socket_memory_bandwidth",
                    &CubeMesh::socket_memory_bandwidth,
                    "memory bandwidth of a socket, reads and writes together")
          .positive()
          .used_if(has_host, kHost)
          .optional("socket_memory_capacity",
                    &CubeMesh::socket_memory_capacity,
                    "memory capacity of a socket (default: unlimited)")
          .positive()
          .used_if(has_host, kHost)
          .optional("socket_memory_latency",
                    &CubeMesh::socket_memory_latency,
                    "memory latency of a socket, until the first byte of a read")
          .not_negative()
          .used_if(has_host, kHost);
  return kSchema;
}

Platform make_cube_mesh(const CubeMesh& parameters, const Config& source) {
  if (parameters.devices_per_uplink == 0 ||
      kDevicesPerSocket % parameters.devices_per_uplink != 0) {
    reject_key(source,
               "devices_per_uplink",
               std::to_string(parameters.devices_per_uplink) +
                   " does not divide the 4 devices of a socket (expected 1, 2 or 4)");
  }
  Platform platform = eight_devices();
  Graph& graph = platform.graph;
  const auto link = graph.add_link_class({"link", parameters.bandwidth, parameters.latency});
  for (const auto& order : kCubeMeshRings) {
    add_ring(platform, order, link);
  }
  if (parameters.host) {
    add_host(graph,
             {.pcie_bandwidth = parameters.pcie_bandwidth,
              .pcie_latency = parameters.pcie_latency,
              .devices_per_uplink = parameters.devices_per_uplink,
              .devices_per_socket = kDevicesPerSocket,
              .memory = {.bandwidth = parameters.socket_memory_bandwidth,
                         .capacity = parameters.socket_memory_capacity,
                         .latency = parameters.socket_memory_latency}});
  }
  graph.index_links();
  return platform;
}

const Schema<HostCentric>& schema_of(const HostCentric*) {
  static const auto kSchema =
      Schema<HostCentric>("hc_dla", "eight devices, half their links to the host sockets")
          .optional("bandwidth", &HostCentric::bandwidth, "link bandwidth, per direction")
          .positive()
          .optional("latency", &HostCentric::latency, "link latency")
          .not_negative()
          .optional("rings",
                    &HostCentric::rings,
                    "rings formed by the other links: three rings with the remaining bandwidth, or "
                    "one ring")
          .optional("host_links", &HostCentric::host_links, "links from a device to its socket")
          .at_least(1)
          .at_most(5)
          .optional("socket_memory_bandwidth",
                    &HostCentric::socket_memory_bandwidth,
                    "memory bandwidth of a socket, reads and writes together")
          .positive()
          .optional("socket_memory_capacity",
                    &HostCentric::socket_memory_capacity,
                    "memory capacity of a socket (default: unlimited)")
          .positive()
          .optional("socket_memory_latency",
                    &HostCentric::socket_memory_latency,
                    "memory latency of a socket, until the first byte of a read")
          .not_negative();
  return kSchema;
}

Platform make_hc_dla(const HostCentric& parameters, const Config& source) {
  if (parameters.rings == HostCentricRings::kOneRing && parameters.host_links != 3) {
    reject(source, "with rings: one_ring needs 3 of 6 links to the host (expected host_links: 3)");
  }
  Platform platform = eight_devices();
  Graph& graph = platform.graph;
  if (parameters.rings == HostCentricRings::kHalfBandwidth) {
    // The remaining links' bandwidth, distributed over the three rings that six links form.
    const double left = (kLinks - static_cast<double>(parameters.host_links)) / kLinks;
    const auto half =
        graph.add_link_class({"half link", parameters.bandwidth * left, parameters.latency});
    for (const auto& order : kCubeMeshRings) {
      add_ring(platform, order, half);
    }
  } else {
    // Pairs with two cables in the cube-mesh form the ring; pairs with one form the matching.
    const auto link = graph.add_link_class({"link", parameters.bandwidth, parameters.latency});
    add_ring(platform, kCubeMeshRings[2], link);
    for (const auto& [a, b] : {std::pair(0U, 2U), {1U, 3U}, {4U, 6U}, {5U, 7U}}) {
      graph.add_cable(graph.devices()[a], graph.devices()[b], link);
    }
  }
  const auto sockets = add_sockets(graph,
                                   kDevices,
                                   kDevicesPerSocket,
                                   {.bandwidth = parameters.socket_memory_bandwidth,
                                    .capacity = parameters.socket_memory_capacity,
                                    .latency = parameters.socket_memory_latency});
  const auto host = graph.add_link_class({.name = "host link",
                                          .bandwidth = parameters.bandwidth,
                                          .latency = parameters.latency,
                                          .cost = kHostLinkCost});
  for (std::uint32_t rank = 0; rank < kDevices; ++rank) {
    for (std::uint32_t i = 0; i < parameters.host_links; ++i) {
      graph.add_cable(graph.devices()[rank], sockets[rank / kDevicesPerSocket], host);
    }
  }
  graph.index_links();
  return platform;
}

}  // namespace cairn::platform::topology
