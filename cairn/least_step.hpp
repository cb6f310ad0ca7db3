// What a training step takes at least, without simulating it: searches rule out designs by it.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/evaluate.hpp"

namespace cairn {

// The longest, over the stages, of
//   kernels    what a device's kernels take alone, one after the other (or so many at a time)
//   exchanges  what its devices must send all together, over the bandwidth with which they can
// The first is right because nothing makes a kernel faster than it is alone, the second because no
// algorithm sends less, and only devices add up data. Zero where steps overlap.
Seconds least_step_time(const Workload& workload, const Design& design);

}  // namespace cairn
