// The main path: from a design to the time of a training step and its explanation. Start here.
#pragma once

#include <memory>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/design.hpp"
#include "cairn/evaluation_cache.hpp"
#include "cairn/explain/step_result.hpp"
#include "cairn/lower/step.hpp"

namespace cairn {

using explain::Detail;

// Throws ConfigError for a model that cannot be built. Callers that evaluate many designs pass a
// shared cache.
Feasible<explain::StepResult> evaluate(const Design& design, Detail detail = Detail::kResult);
Feasible<explain::StepResult> evaluate(const Design& design,
                                       EvaluationCache& cache,
                                       Detail detail = Detail::kResult);

// Stages of evaluate(): cost of a plan's kernels on the design's device ...
Feasible<std::vector<kernel::Cost>> cost_kernels(const plan::Plan& plan,
                                                 const Design& design,
                                                 EvaluationCache& cache);

// ... lowering to a program that can be simulated, with micro-batches that repeat as a loop ...
Feasible<lower::LoweredStep> lower_step(const Design& design, EvaluationCache& cache);

// ... and simulation with explanation of the result.
Feasible<explain::StepResult> simulate_step(const lower::LoweredStep& step,
                                            const Design& design,
                                            Detail detail = Detail::kResult);

}  // namespace cairn
