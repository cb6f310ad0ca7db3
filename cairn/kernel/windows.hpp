// How a library runs convolutions as products: without unrolling windows, tap by tap.
#pragma once

#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// With slices of s channels (`tiles.window_slice`), a window of T taps over C channels to K others
// is
//
//   forward  m x K        sums of T ceil(C / s) s   instead of  m x K    sums of T C
//   dX       m x C        sums of T ceil(K / s) s   instead of  m x T C  sums of K
//   dW       T C x K      sums of m
//
// A device that states no slice runs what it is asked for, as do all products that are no windows,
// and windows whose channels are not aligned.
Work as_run(Work work, const chip::Device& device);

}  // namespace cairn::kernel
