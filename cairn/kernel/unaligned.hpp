// Products of matrices whose rows are not aligned: cores load their elements one by one.
#pragma once

#include "cairn/kernel/tiling.hpp"

namespace cairn::kernel {

// The device has other kernels for such matrices as these.
bool is_unaligned(const Work& work, const chip::Device& device);

// Tiles of a x a outputs, a the device's, go over cores in waves, `at once` of them together. For
// each slice of s products a tile's core loads 2 a s elements at so many bytes a cycle; it waits
// for them, and only other tiles' loads fill that wait:
//
//   time of g tiles = ceil(k / s) max(latency, g 2 a s e / per cycle / f)
//
// Of a convolution, whose loads are spread over all cores, sums in as many parts as need be: bytes
// of all slices over what all cores load of windows.
//
// Whatever else bounds a product with these tiles, as in best_mapping.
Mapping unaligned_mapping(const Work& work, const chip::Device& device);

}  // namespace cairn::kernel
