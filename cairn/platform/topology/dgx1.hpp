// Eight devices wired as NVIDIA's DGX-1V, alone (DC-DLA) or with half their links to the host
// (HC-DLA). Source: Kwon and Rhu, "Beyond the memory wall: a case for
// memory-centric HPC system for deep learning", MICRO 2018, Fig. 5 and section IV.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::platform::topology {

// The three edge-disjoint rings that use all 24 cables of the cube-mesh, as orders of devices.
inline constexpr std::array<std::array<std::uint32_t, 8>, 3> kCubeMeshRings{{
    {0, 1, 2, 3, 7, 5, 6, 4},
    {0, 2, 6, 7, 4, 5, 1, 3},
    {0, 3, 2, 1, 5, 6, 7, 4},
}};

// DC-DLA. With `host`, devices 2i and 2i+1 share PCIe switch i, and switches 0, 1 and 2, 3 a host
// socket each.
struct CubeMesh {
  BytesPerSecond bandwidth{25e9};
  Seconds latency{0.0};
  bool host = false;
  BytesPerSecond pcie_bandwidth{16e9};   // PCIe gen3 x16
  std::uint32_t devices_per_uplink = 2;  // devices that share a PCIe switch's link to the socket
  Seconds pcie_latency{0.0};
  BytesPerSecond socket_memory_bandwidth{80e9};  // Xeon, section II-C
  std::optional<Bytes> socket_memory_capacity{};
  Seconds socket_memory_latency{0.0};
};

const Schema<CubeMesh>& schema_of(const CubeMesh*);
Platform make_cube_mesh(const CubeMesh& parameters, const Config& source = {});

// Rings formed by the three links per device that do not go to the host.
enum class HostCentricRings : std::uint8_t {
  kHalfBandwidth,  // the three rings of the cube-mesh, every link at half its bandwidth: the
                   // paper's reading, 75 GB/s per device
  kOneRing,        // individual links: one ring, and a matching outside the ring
};

struct HostCentric {
  BytesPerSecond bandwidth{25e9};
  Seconds latency{0.0};
  HostCentricRings rings = HostCentricRings::kHalfBandwidth;
  std::uint32_t host_links = 3;  // per device
  BytesPerSecond socket_memory_bandwidth{300e9};
  std::optional<Bytes> socket_memory_capacity{};
  Seconds socket_memory_latency{0.0};
};

const Schema<HostCentric>& schema_of(const HostCentric*);
Platform make_hc_dla(const HostCentric& parameters, const Config& source = {});

}  // namespace cairn::platform::topology

template <>
struct cairn::EnumNames<cairn::platform::topology::HostCentricRings> {
  using Rings = cairn::platform::topology::HostCentricRings;
  static constexpr std::array<EnumName<Rings>, 2> kNames{
      {{Rings::kHalfBandwidth, "half_bandwidth"}, {Rings::kOneRing, "one_ring"}}};
};
