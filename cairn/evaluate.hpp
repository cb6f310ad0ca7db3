// The main path, from a design to what a training step on it takes and why, on one screen. Open
// this first.
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

// Throws ConfigError for a model that cannot be built. Those who evaluate many designs give a cache
// that serves all of them.
Feasible<explain::StepResult> evaluate(const Design& design, Detail detail = Detail::kResult);
Feasible<explain::StepResult> evaluate(const Design& design,
                                       EvaluationCache& cache,
                                       Detail detail = Detail::kResult);

// Its parts: what the kernels of a plan take on the design's device ...
Feasible<std::vector<kernel::Cost>> cost_kernels(const plan::Plan& plan,
                                                 const Design& design,
                                                 EvaluationCache& cache);

// ... everything until the step can be simulated ...
Feasible<lower::LoweredStep> lower_step(const Design& design, EvaluationCache& cache);

// ... and what comes of that.
Feasible<explain::StepResult> simulate_step(const lower::LoweredStep& step,
                                            const Design& design,
                                            Detail detail = Detail::kResult);

}  // namespace cairn
