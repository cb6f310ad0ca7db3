// A cable between every two devices.
#pragma once

#include <cstdint>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

struct FullyConnected {
  std::uint64_t devices = 0;
  BytesPerSecond bandwidth;
  Seconds latency{0.0};
};

const Schema<FullyConnected>& schema_of(const FullyConnected*);
Size size_of(const FullyConnected& parameters);

// Links i -> i + k (modulo devices) form class "+k". Its floor((devices - 1) / 2) rings use every
// cable, or with an even number of devices all but a matching.
Platform make_fully_connected(const FullyConnected& parameters, const Config& source = {});

// Edge-disjoint Hamiltonian cycles of the complete graph on `count` vertices, as orders of
// vertices: Walecki's zigzag, see B. Alspach, "The wonderful Walecki construction", Bull. Inst.
// Combinatorics and Applications 52, 2008.
std::vector<std::vector<std::uint32_t>> walecki_cycles(std::uint32_t count);

}  // namespace cairn::platform::topology
