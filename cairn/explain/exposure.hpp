// What the kernels of a device waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

struct Interval {
  SimTime begin = SimTime::never();
  SimTime end{};
};

// When each action ran on the devices of a class, from its first task to its last; what devices of
// other stages did, on all of these together.
std::vector<Interval> intervals_of(const lower::LoweredStep& step,
                                   const sim::Timeline& timeline,
                                   std::uint32_t device_class);

// What kernels of a stage computed, and what they waited for, as long as they waited, until `end`:
// backwards from a kernel's begin along whatever ended last, transfers and collectives are blamed
// for the time in which they ran or stood in line, and the rest is idle: also while other stages of
// a pipeline compute. Of all steps.
Breakdown exposure(const lower::LoweredStep& step,
                   const std::vector<Interval>& intervals,
                   std::uint32_t stage,
                   const comm::Endpoint& endpoint,
                   SimTime end);

}  // namespace cairn::explain
