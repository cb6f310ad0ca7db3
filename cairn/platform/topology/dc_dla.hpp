// A device-centric system of any size: devices on rings of their own links, the host behind PCIe.
// With eight devices and three rings it is equivalent to a DGX-1V (see cube_mesh), whose cube-mesh
// is used as three rings.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

struct DeviceCentric {
  std::uint64_t devices = 8;
  std::uint64_t rings = 3;
  BytesPerSecond bandwidth{25e9};
  Seconds latency{0.0};
  BytesPerSecond pcie_bandwidth{16e9};
  Seconds pcie_latency{0.0};
  std::uint32_t devices_per_uplink = 2;
  std::uint32_t devices_per_socket = 4;
  BytesPerSecond socket_memory_bandwidth{80e9};
  std::optional<Bytes> socket_memory_capacity{};
  Seconds socket_memory_latency{0.0};
};

const Schema<DeviceCentric>& schema_of(const DeviceCentric*);
Size size_of(const DeviceCentric& parameters);
Platform make_dc_dla(const DeviceCentric& parameters, const Config& source = {});

}  // namespace cairn::platform::topology
