// Output tiles of a device's kernel library: their sides, split-K, and how many are in flight.
// These are properties of the library, not of the chip.
#pragma once

#include <optional>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

// Kernels for matrices whose rows are not aligned to `alignment`: cores then load single elements.
// Tiles are square, without split-K. For each slice of k a core loads both operands before it
// computes.
struct UnalignedTiles {
  Bytes alignment{16.0};
  double side = 64.0;
  double slice = 32.0;                       // steps of k loaded together
  double at_once = 1.0;                      // maximum tiles in flight per core
  Bytes per_cycle{};                         // bytes that a core loads per cycle
  std::optional<Bytes> windows_per_cycle{};  // the same for convolutions; empty: per_cycle
  Seconds latency{0.0};                      // from the first load of a slice to that of the next

  bool operator==(const UnalignedTiles&) const = default;
};

const Schema<UnalignedTiles>& schema_of(const UnalignedTiles*);

struct Tiles {
  std::vector<double> sides{};          // available tile sides; empty: any
  std::optional<Bytes> accumulators{};  // per core; empty: the capacity of its levels
  double at_once = 1.0;                 // maximum tiles in flight per core
  Seconds fill{0.0};                    // prologue and epilogue of a tile, without compute
  double splits = 1.0;                  // maximum split-K factor
  Seconds join{0.0};                    // reduction of split-K partial sums
  double cluster = 1.0;                 // tiles that start together, on cores of one group
  // Channels of a convolution tap loaded together (channels are padded to it); empty: im2col.
  std::optional<double> window_slice{};
  std::optional<UnalignedTiles> unaligned{};  // empty: alignment does not matter

  bool operator==(const Tiles&) const = default;
};

const Schema<Tiles>& schema_of(const Tiles*);

}  // namespace cairn::chip
