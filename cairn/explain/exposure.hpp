// The exposed time of a step: what the kernels of a device waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/explain/intervals.hpp"
#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

// The breakdown of a stage's kernels until `end`, over all steps. A gap before a kernel is followed
// backwards along the dependencies that ended last: time in which a transfer or collective ran or
// was queued is attributed to it, and the rest is idle, also while other pipeline stages compute.
Breakdown exposure(const lower::LoweredStep& step,
                   const std::vector<Interval>& intervals,
                   std::uint32_t stage,
                   const comm::Endpoint& endpoint,
                   SimTime end);

}  // namespace cairn::explain
