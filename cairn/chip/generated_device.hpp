// A generated chip as a device.
#pragma once

#include "cairn/chip/device.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::chip {

// Bundles are its cores. It computes in its technology's precision; in none, if that is not one of
// chip::Precision. MCUs that fill no bundle add to the throughput of all, as in the paper;
// operations on single elements are done by the same units. What technology does not decide, how
// kernels are tiled and launched, is left at its default: any tile, at no cost.
// Precondition: `chip` was generated from `design`.
Device device_of(const Generated& chip, const Template& design);

}  // namespace cairn::chip
