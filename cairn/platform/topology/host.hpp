// The host side of a system: devices behind PCIe switches, switches on sockets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform::topology {

// Memory of one socket.
struct SocketMemory {
  BytesPerSecond bandwidth{80e9};   // Xeon, Kwon and Rhu, MICRO 2018, section II-C
  std::optional<Bytes> capacity{};  // default: unlimited
  Seconds latency{0.0};
};

struct HostSide {
  BytesPerSecond pcie_bandwidth{16e9};  // PCIe gen3 x16
  Seconds pcie_latency{0.0};
  std::uint32_t devices_per_uplink = 2;  // devices that share a PCIe switch's link to the socket
  std::uint32_t devices_per_socket = 4;
  SocketMemory memory{};
};

// Traffic between devices stays on their own links while they offer a path of at most this many.
inline constexpr std::uint32_t kHostLinkCost = 8;

// One socket per `per_socket` devices; the last has the remainder.
std::vector<Id<Node>> add_sockets(Graph& graph,
                                  std::size_t devices,
                                  std::uint32_t per_socket,
                                  const SocketMemory& memory);

// Connects every device of the graph to its socket through a PCIe switch.
void add_host(Graph& graph, const HostSide& host);

}  // namespace cairn::platform::topology
