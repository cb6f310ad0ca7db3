// What a training step's result looks like.
#pragma once

#include "cairn/explain/step_result.hpp"
#include "cairn/report/chart.hpp"

namespace cairn::report {

// `breakdown`: a bar of the parts alone, and one of what they add to the step.
Chart breakdown_chart(const explain::StepResult& result);

// `memory`: what one device holds over the step, below its capacity.
Chart memory_chart(const explain::StepResult& result);

}  // namespace cairn::report
