// How a product is laid over a device: the tiling with the least time, by enumeration.
#pragma once

#include <array>
#include <optional>

#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

struct Mapping {
  Seconds compute{0.0};
  std::array<Bytes, chip::kMostLevels> levels{};
  Bytes memory{0.0};
  Tiling tiling{};
};

// Each core works on tiles of r x c outputs, D = ceil(m / r) down and A = ceil(n / c) across, their
// sums in s parts:
//
//   waves   = ceil(count D A s / cores)
//   compute = waves cycles(r, c, ceil(k / s)) / (f u) + ceil(waves / at once) fill
//
// and what adding them up takes where sums are in parts (`join`). A tile must fit its core. Sides
// are the library's, or, if it states none, all that differ: multiples of the matrix unit's. A sum
// is cut only as far as all its parts are in work at a time.
//
// The level beside the cores moves e k count (m A + n D) for them, the outputs, and the parts of
// sums, written and read. What crosses from outside into a level that all cores share is the least
// of what the tiles in work at a time need together, as a block of b x floor(P / b) of the
// P = cores * at once / s in work,
//
//   left ceil(A / floor(P / b)) + right ceil(D / b) + other
//
// and what is left to read with part of an operand held in it (held.hpp). Parts of sums cross too
// if the outermost level does not hold them. Traffic inside a core is that of core_levels.hpp.
//
// Of all r, c, s, b and held parts, the ones with the least time by the roofline, then the fewest
// bytes of main memory.
Mapping best_mapping(const Work& work, const chip::Device& device);

// What bytes take of a bandwidth; nothing where there is no limit.
Seconds time_of(Bytes bytes, const std::optional<BytesPerSecond>& bandwidth);

// That kernels reach.
BytesPerSecond bandwidth_of(const chip::DeviceMemory& memory);

// Of main memory; nothing where it has nothing to do.
std::optional<BytesPerSecond> memory_bandwidth(const Work& work, const chip::Device& device);

// Cycles of all cores, by the throughput that kernels reach.
Seconds time_of_cycles(double cycles, const chip::Device& device);

}  // namespace cairn::kernel
