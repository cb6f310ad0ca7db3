// The exposed time of a step: what the kernels of a device waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/explain/step_result.hpp"

namespace cairn::explain {

struct Interval {
  SimTime begin = SimTime::never();
  SimTime end{};
};

// The same time, counted from `start`, and the other way round.
constexpr SimTime relative(SimTime time, SimTime start) {
  return SimTime::from_picoseconds(time.picoseconds() - start.picoseconds());
}

constexpr SimTime absolute(SimTime time, SimTime start) {
  return SimTime::from_picoseconds(time.picoseconds() + start.picoseconds());
}

// When each action ran on the devices of a class, from its first task to its last; actions of other
// stages on all their devices together.
std::vector<Interval> intervals_of(const lower::LoweredStep& step,
                                   const sim::Timeline& timeline,
                                   std::uint32_t device_class);

// When each action of a repeated pass runs, counted from the start of the pass.
std::vector<Interval> intervals_of(const lower::PassTimes& pass);

// The breakdown of a stage's kernels until `end`, over all steps. A gap before a kernel is followed
// backwards along the dependencies that ended last: time in which a transfer or collective ran or
// was queued is attributed to it, and the rest is idle, also while other pipeline stages compute.
Breakdown exposure(const lower::LoweredStep& step,
                   const std::vector<Interval>& intervals,
                   std::uint32_t stage,
                   const comm::Endpoint& endpoint,
                   SimTime end);

}  // namespace cairn::explain
