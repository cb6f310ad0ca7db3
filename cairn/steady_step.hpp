// A step with many micro-batches from its steady state: two steps with few are simulated whole, and
// if the additional micro-batches of one repeat what others do, so do all further ones.
#pragma once

#include <functional>
#include <optional>

#include "cairn/base/failure.hpp"
#include "cairn/design.hpp"
#include "cairn/explain/step_result.hpp"
#include "cairn/lower/steady_state.hpp"

namespace cairn {

using SimulateWhole = std::function<Feasible<lower::SimulatedStep>(const Design&)>;

// Absent: the micro-batches are too few for this to be faster than to simulate all of them, no
// steady state was found, or the step is infeasible.
std::optional<explain::StepResult> steady_step(const Design& design,
                                               explain::Detail detail,
                                               const SimulateWhole& simulate);

}  // namespace cairn
