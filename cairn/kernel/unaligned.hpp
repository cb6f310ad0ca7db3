// GEMMs of matrices with unaligned rows: cores load elements one by one.
#pragma once

#include "cairn/kernel/tiling.hpp"

namespace cairn::kernel {

// Whether the device uses its kernels for unaligned rows.
bool is_unaligned(const Work& work, const chip::Device& device);

// Tiles of a x a outputs, a the device's, run in waves, `at once` of them per core. For each slice
// of s steps of k a core loads 2 a s elements of a tile, `per_cycle` bytes a cycle, then waits for
// them; only loads of other tiles fill that wait:
//
//   time of g tiles = ceil(k / s) max(latency, g 2 a s e / per cycle / f)
//
// For a convolution, with as many splits as needed to use all cores: bytes of all slices over the
// window loads of all cores. Other bounds are as in best_mapping with these tiles.
Mapping unaligned_mapping(const Work& work, const chip::Device& device);

}  // namespace cairn::kernel
