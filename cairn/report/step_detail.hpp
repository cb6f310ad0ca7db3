// Details of a step: timeline, memory over time, the platform's graph with traffic per link, and
// every operator with its traffic at each memory level.
#pragma once

#include "cairn/explain/step_result.hpp"
#include "cairn/report/step_document.hpp"

namespace cairn::report {

// Precondition: the step was recorded.
void add_detail(const explain::StepResult& result, const StepSubject& subject, Document& document);

}  // namespace cairn::report
