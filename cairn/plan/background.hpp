// Background operators, which run one step ahead of or behind the others.
#pragma once

#include "cairn/plan/plan.hpp"

namespace cairn::plan {

// The plan of one of many identical steps. A tensor that is computed in the background and read in
// the foreground, or vice versa, is read one step later: the reader gets the tensor of the previous
// step ("of the step before"), which is an input of this step (Plan::cross_step). So neither side
// waits for the other within a step. Exchanges of tensors computed in the background are in the
// background too: rows looked up for the next step arrive before it begins. Weights are read at
// once.
Plan decouple_background(Plan plan);

}  // namespace cairn::plan
