// A step in full, as JSON: what ran when, memory over time, the platform's graph with what its
// links carried, and every operator with what it moved at each level of memory.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cairn/explain/step_result.hpp"
#include "cairn/report/step_json.hpp"

namespace cairn::report {

// Adds to the object of a result that was recorded.
void add_detail(const explain::StepResult& result,
                const StepSubject& subject,
                nlohmann::ordered_json& json);

}  // namespace cairn::report
