// The mapping of a contraction onto a device: the tiling of minimum time, by enumeration.
#pragma once

#include <array>
#include <optional>

#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

struct Mapping {
  Seconds compute{0.0};
  std::array<Bytes, chip::kMaxLevels> levels{};
  Bytes memory{0.0};
  Tiling tiling{};
};

// Each core works on tiles of r x c outputs, D = ceil(m / r) down and A = ceil(n / c) across, with
// split-K in s parts:
//
//   waves   = ceil(count D A s / cores)
//   compute = waves cycles(r, c, ceil(k / s)) / (f u) + ceil(waves / at once) fill
//
// plus `join` to reduce partial sums if s > 1. A tile must fit its core. Sides are the library's,
// or, if it states none, all useful multiples of the matrix unit's. Split-K is limited so that all
// parts are in flight at once.
//
// Traffic of the level next to the cores is e k count (m A + n D), the outputs, and partial sums,
// written and read. Traffic from outside into a shared level is the minimum of two: reads shared by
// a block of b x floor(P / b) of the P = cores * at once / s tiles in flight,
//
//   left ceil(A / floor(P / b)) + right ceil(D / b) + other
//
// or reads with part of an operand stationary in the level (stationary_operand.hpp). Partial sums
// cross too if they do not fit the outermost level. Traffic inside a core: core_levels.hpp.
//
// Minimizes time by the roofline, then main-memory traffic, over all r, c, s, b and stationary
// parts.
Mapping best_mapping(const Work& work, const chip::Device& device);

// bytes / bandwidth; 0 without a limit.
Seconds time_of(Bytes bytes, const std::optional<BytesPerSecond>& bandwidth);

// Bandwidth that kernels reach.
BytesPerSecond bandwidth_of(const chip::DeviceMemory& memory);

// Bandwidth of main memory; empty if all operands are cached.
std::optional<BytesPerSecond> memory_bandwidth(const Work& work, const chip::Device& device);

// Cycles over the clock times the utilization that kernels reach.
Seconds time_of_cycles(double cycles, const chip::Device& device);

}  // namespace cairn::kernel
