// The cost of one operator on one device: time without contention, its bound, tiling, and traffic
// of each memory level.
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
  // kLevel: the level's name, null-terminated.
  std::array<char, chip::kLongestLevelName + 1> level{};

  bool operator==(const BoundBy&) const = default;
};

// "compute", "l2 bandwidth", "memory bandwidth", "latency", "launch".
std::string to_text(const BoundBy& bound);

// The stationary operand in the outermost level while the others are streamed; with kNone, tiles in
// flight share reads instead.
using Held = chip::Dataflow;

// Each core works on tiles of rows x columns outputs with split-K in `splits` parts; a block of
// block_rows x block_columns adjacent tiles is in flight.
struct Tiling {
  double tile_rows = 0.0;  // 0: nothing was mapped
  double tile_columns = 0.0;
  double splits = 1.0;
  double block_rows = 1.0;
  double block_columns = 1.0;
  Held held = Held::kNone;
  double held_rows = 0.0;  // of the stationary part
  double held_columns = 0.0;
  bool aligned = true;  // rows of the matrices are aligned
};

struct Traffic {
  Bytes bytes{0.0};   // read and written
  Seconds time{0.0};  // bytes / bandwidth; 0 without a bandwidth limit
};

struct Cost {
  Seconds time{0.0};
  Seconds compute{0.0};      // with infinitely fast memories
  Bytes memory{0.0};         // main-memory traffic
  double utilization = 0.0;  // of the matrix units, while the operator runs
  double clock = 1.0;        // relative to the full clock, under the power limit
  BoundBy bound_by{};
  Tiling tiling{};
  // Traffic of on-chip levels, in the device's order.
  std::array<Traffic, chip::kMaxLevels> levels{};
};

// Hierarchical roofline (CrossFlow paper, section 6.1):
//
//   time = max(compute, bytes / bandwidth of every level and of main memory) + latency + launch
//
// with the tiling of minimum time, then minimum main-memory traffic, found by enumeration and never
// by sampling (tiling.hpp). Empty work takes no time.
Cost cost(const Work& asked, const chip::Device& device);

}  // namespace cairn::kernel
