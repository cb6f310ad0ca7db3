// Operators that run beside the others, a step ahead or behind.
#pragma once

#include "cairn/plan/plan.hpp"

namespace cairn::plan {

// The plan of one of many equal steps. What operators in the background make is there for the next
// step, and what others make is there for them in the next: of a tensor that is made on one side
// and read on the other, the reader has what the step before made ("of the step before"), which
// comes from outside (Plan::carried). So neither side waits for the other within a step. Exchanges
// of what operators in the background made are there too: what is looked up for the next step has
// arrived when that begins. Weights are always there.
Plan a_step_apart(Plan plan);

}  // namespace cairn::plan
