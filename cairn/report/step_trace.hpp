// Timeline of a training step in Chrome trace format, for Perfetto (ui.perfetto.dev).
#pragma once

#include <ostream>

#include "cairn/explain/step_result.hpp"

namespace cairn::report {

// One process per device class, with rows for compute, copies out and in, and collectives, and
// memory in use as a counter. Then one process for resources, busiest first, with a row per
// resource and kind of action. Precondition: the step was recorded.
void write_step_trace(const explain::StepResult& result, std::ostream& out);

}  // namespace cairn::report
