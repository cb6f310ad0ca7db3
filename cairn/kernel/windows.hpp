// How a library runs convolutions as GEMMs: tap by tap, without im2col.
#pragma once

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// With slices of s channels (`tiles.window_slice`), a convolution of T taps from C to K channels is
//
//   forward  m x K        k = T ceil(C / s) s   instead of  m x K    k = T C
//   dX       m x C        k = T ceil(K / s) s   instead of  m x T C  k = K
//   dW       T C x K      k = m
//
// The work is unchanged without a slice, for GEMMs that are not convolutions, and for unaligned
// channels.
Work as_run(Work work, const chip::Device& device);

}  // namespace cairn::kernel
