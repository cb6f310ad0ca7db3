// Lower bound on the time of a training step, without simulation; searches prune designs by it.
#pragma once

#include <span>

#include "cairn/base/quantity.hpp"
#include "cairn/design.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn {

// Maximum over the pipeline stages of
//   kernels    contention-free time of a device's kernels, divided by the number that run at a time
//   exchanges  minimum bytes that its devices send in total, over the bandwidth at which they can
// The first holds because no kernel is faster than without contention, the second because no
// algorithm sends less, and only devices reduce data. Zero where steps overlap.
Seconds least_step_time(const plan::Plan& plan,
                        std::span<const kernel::Cost> costs,
                        const Design& design);

}  // namespace cairn
