// Simulation of passes that are repeated, each once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/kernel/cost.hpp"
#include "cairn/lower/machine.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::lower {

// One repetition of a memory::PassBody; times are relative to its start.
struct PassTimes {
  std::vector<sim::TaskTime> actions{};  // by action of the body, on each device of its stage
  SimTime end{};
  std::vector<double> drawn{};  // by resource of the machine: units drawn from one member
  std::uint64_t events = 0;
};

// By body of the schedule. NotRepeated: a pass shares a resource with other
// stages or with transfers between stages, or its results are ready before it ends, so that its
// times may depend on the micro-batch.
plan::OrNotRepeated<std::vector<PassTimes>> time_passes(const plan::Plan& plan,
                                                        const memory::Schedule& schedule,
                                                        std::span<const kernel::Cost> costs,
                                                        const Machine& machine);

}  // namespace cairn::lower
