// Memory-centric systems: devices and memory-nodes on the same links. Kwon and Rhu, MICRO 2018,
// Fig. 7 and Table II.
//
//                        hops of the rings   idle links   device to memory
//   7(a) mc_dla_star_a      8,  8, 24          8             50 GB/s
//   7(b) mc_dla_star_b      8, 12, 20          8             50 GB/s
//   7(c) mc_dla_ring       16, 16, 16          0            150 GB/s
#pragma once

#include <cstdint>

#include "cairn/base/schema.hpp"
#include "cairn/platform/memory_node.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

// Parameters of the two stars.
struct MemoryCentric {
  BytesPerSecond bandwidth{25e9};
  Seconds latency{0.0};
  MemoryNode memory_node{};
  Bytes store_and_forward{0.0};
};

const Schema<MemoryCentric>& schema_of(const MemoryCentric*);

// 7(a): two rings of the cube-mesh over devices alone; the third goes D_n, M_n, M_(n+1), D_(n+1),
// ... over the two cables between D_n and M_n. A fourth ring, of memory-nodes only, is idle.
Platform make_mc_dla_star_a(const MemoryCentric& parameters, const Config& source = {});

// 7(b), by an accounting of links that yields the published ring lengths: one ring of devices; one
// with a memory-node after every second device; one with three memory-nodes after every second
// device; eight cables between memory-nodes are idle. Each device is connected to two
// memory-nodes, each memory-node to two devices.
Platform make_mc_dla_star_b(const MemoryCentric& parameters, const Config& source = {});

// 7(c): `rings` rings D_0 M_0 D_1 M_1 ...
struct MemoryRing {
  std::uint64_t devices = 8;
  std::uint64_t rings = 3;
  BytesPerSecond bandwidth{25e9};
  Seconds latency{0.0};
  MemoryNode memory_node{};
  Bytes store_and_forward{0.0};
};

const Schema<MemoryRing>& schema_of(const MemoryRing*);
Size size_of(const MemoryRing& parameters);
Platform make_mc_dla_ring(const MemoryRing& parameters, const Config& source = {});

}  // namespace cairn::platform::topology
