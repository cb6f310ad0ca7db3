// What a training step takes at least, without simulating it: searches rule out designs by it.
#pragma once

#include <span>

#include "cairn/base/quantity.hpp"
#include "cairn/design.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn {

// The longest, over the stages, of
//   kernels    what a device's kernels take alone, one after the other (or so many at a time)
//   exchanges  what its devices must send all together, over the bandwidth with which they can
// The first is right because nothing makes a kernel faster than it is alone, the second because no
// algorithm sends less, and only devices add up data. Zero where steps overlap.
Seconds least_step_time(const plan::Plan& plan,
                        std::span<const kernel::Cost> costs,
                        const Design& design);

}  // namespace cairn
