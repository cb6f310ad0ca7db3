// The main path, from a design to what a training step on it takes and why, on one screen. Open
// this first.
#pragma once

#include "cairn/base/failure.hpp"
#include "cairn/design.hpp"
#include "cairn/explain/step_result.hpp"

namespace cairn {

// Throws ConfigError for a model that cannot be built.
Feasible<explain::StepResult> evaluate(const Design& design);

}  // namespace cairn
