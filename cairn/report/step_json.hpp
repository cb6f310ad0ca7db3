// A training step's result for other programs (see json.hpp for what all such objects have in
// common).
#pragma once

#include <string>

#include "cairn/explain/step_result.hpp"

namespace cairn::report {

// `detail` adds `memory`, `timeline` and `operators`. Precondition for that: the step was recorded.
std::string step_json(const explain::StepResult& result, bool detail);

}  // namespace cairn::report
