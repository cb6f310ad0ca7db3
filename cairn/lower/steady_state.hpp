// The steady state of a pipeline: from some micro-batch on, each period of micro-batches takes as
// long as the one before, with all that happens in it.
#pragma once

#include "cairn/lower/step.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::lower {

// A step with each micro-batch by itself, and its simulation.
struct SimulatedStep {
  LoweredStep step{};
  sim::Timeline timeline{};
};

// How two steps of one design compare that differ in the number of micro-batches.
struct Growth {
  SimTime period{};   // how much longer the one with more takes
  SimTime missing{};  // how much too short the steady state of both is to be sure; 0: it is proven
};

// Let the step with fewer micro-batches take A and the one with P more take A + D. Each further P
// micro-batches take D too if there is an instant T such that
//
//   up to T + D   all that starts in one starts and ends at the same time in the other
//   from T on     all that starts in `fewer` starts and ends D later in `more`, P micro-batches on
//   at T          all that runs is of the second kind too
//
// Then the state of `more` at T + D is that at T, counted from the clock: what runs will end after
// the same time in the same company, and so has the same left to do. The order of passes up to
// T + D is that of any number of micro-batches, so the state recurs after each further D.
Growth compare(const SimulatedStep& fewer, const SimulatedStep& more);

}  // namespace cairn::lower
