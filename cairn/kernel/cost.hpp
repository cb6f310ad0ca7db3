// The cost of one operator on one device: time alone, what bounds it, how it is tiled, bytes that
// each level of memory moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

struct BoundBy {
  enum class Kind : std::uint8_t { kCompute, kLevel, kMemory, kLatency, kLaunch };

  Kind kind = Kind::kLatency;
  // kLevel: the level's name, ended by a zero.
  std::array<char, chip::kLongestLevelName + 1> level{};

  bool operator==(const BoundBy&) const = default;
};

// "compute", "l2 bandwidth", "memory bandwidth", "latency", "launch".
std::string to_text(const BoundBy& bound);

// The operand that stays in the level beside main memory while the others pass; with kNone, tiles
// that are in work at the same time share what they read.
using Held = chip::Dataflow;

// How the outputs are cut: each core works on tiles of rows x columns outputs, the sum of each in
// `splits` parts; `block` tiles are in work at a time side by side.
struct Tiling {
  double tile_rows = 0.0;  // 0: nothing was mapped
  double tile_columns = 0.0;
  double splits = 1.0;
  double block_rows = 1.0;
  double block_columns = 1.0;
  Held held = Held::kNone;
  double held_rows = 0.0;  // of the operand that stays
  double held_columns = 0.0;
  bool aligned = true;  // rows of the matrices are
};

struct Traffic {
  Bytes bytes{0.0};   // read and written
  Seconds time{0.0};  // that this takes alone; none where bandwidth is no limit
};

struct Cost {
  Seconds time{0.0};
  Seconds compute{0.0};      // if memories were infinitely fast
  Bytes memory{0.0};         // read from and written to the device's memory
  double utilization = 0.0;  // of the matrix units, while the operator runs
  double clock = 1.0;        // that its power leaves, of the full one
  BoundBy bound_by{};
  Tiling tiling{};
  // Of the device's on-chip levels, in its order.
  std::array<Traffic, chip::kMostLevels> levels{};
};

// Hierarchical roofline (CrossFlow paper, section 6.1):
//
//   time = max(compute, bytes / bandwidth of every level and of main memory) + latency + launch
//
// with the tiling that takes the least time and, of these, the fewest bytes from main memory; it is
// found by enumeration of all that differ, never by sampling (tiling.hpp). What has nothing to do
// takes no time.
Cost cost(const Work& asked, const chip::Device& device);

}  // namespace cairn::kernel
