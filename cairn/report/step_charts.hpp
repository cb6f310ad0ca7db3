// Charts of a training step.
#pragma once

#include "cairn/explain/step_result.hpp"
#include "cairn/report/chart.hpp"

namespace cairn::report {

// `breakdown`: one bar of the parts without overlap, one of their exposed times in the step.
Chart breakdown_chart(const explain::StepResult& result);

// `memory`: memory in use on one device over the step, and its capacity.
Chart memory_chart(const explain::StepResult& result);

}  // namespace cairn::report
