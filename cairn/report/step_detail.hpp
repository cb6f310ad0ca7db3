// A step in full: what ran when, memory over time, the platform's graph with what its
// links carried, and every operator with what it moved at each level of memory.
#pragma once

#include "cairn/explain/step_result.hpp"
#include "cairn/report/step_document.hpp"

namespace cairn::report {

// Adds to the document of a result that was recorded.
void add_detail(const explain::StepResult& result, const StepSubject& subject, Document& document);

}  // namespace cairn::report
