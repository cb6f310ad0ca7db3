// The cost of one operator on one device: time alone, what bounds it, bytes from memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

enum class BoundBy : std::uint8_t { kCompute, kMemoryBandwidth, kLatency };

std::string_view to_text(BoundBy bound);

// How an output matrix is laid over the array: each PE holds a tile of rows x columns outputs; the
// tiles in work at one time form a block of rows x columns tiles.
struct Tiling {
  double tile_rows = 1.0;
  double tile_columns = 1.0;
  double block_rows = 1.0;
  double block_columns = 1.0;
};

struct Cost {
  Seconds time{0.0};
  Seconds compute{0.0};      // if memory were infinitely fast
  Bytes memory{0.0};         // read from and written to the device's memory
  Bytes sram{0.0};           // read from and written to local SRAM
  double utilization = 0.0;  // of the MACs, while the operator runs
  BoundBy bound_by = BoundBy::kLatency;
  Tiling tiling{};
};

// Output-stationary: a PE works on a tile of outputs until all of k is summed; no output is summed
// by two PEs.
//
//   cycles  = ceil(tiles / PEs) * ceil(tile / MACs per PE) * k
//   bytes   = left * ceil(n / columns of a block) + right * ceil(m / rows of a block) + other
//   time    = max(cycles / frequency, bytes / bandwidth) + latency
//
// Tile and block are those that take the least time, and of these the fewest bytes.
Cost cost(const Work& work, const chip::Device& device);

}  // namespace cairn::kernel
