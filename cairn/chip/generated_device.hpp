// A generated chip as a device.
#pragma once

#include "cairn/chip/device.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::chip {

// Cores are the chip's bundles. The only precision is the technology's; none, if that is not one of
// chip::Precision. MCUs beyond whole bundles add to the throughput of all cores, as in the paper.
// Element-wise operations run on the same units. Tiling and launch, which technology does not
// determine, keep their defaults: any tile, no launch overhead.
// Precondition: `chip` was generated from `design`.
Device device_of(const Generated& chip, const Template& design);

}  // namespace cairn::chip
