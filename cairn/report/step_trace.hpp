// A training step's timeline in Chrome's trace format, which opens in Perfetto (ui.perfetto.dev).
#pragma once

#include <ostream>

#include "cairn/explain/step_result.hpp"

namespace cairn::report {

// A process per class of devices, with the rows compute, copy out, copy in and collectives and the
// memory in use as a counter; then a process for resources, the busiest first, with a row for each
// of them and each kind of action that drew on it. Precondition: the step was recorded.
void write_step_trace(const explain::StepResult& result, std::ostream& out);

}  // namespace cairn::report
