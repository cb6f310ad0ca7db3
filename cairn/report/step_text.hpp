// A training step's result for people.
#pragma once

#include <string>

#include "cairn/explain/step_result.hpp"

namespace cairn::report {

// What was asked, if there is one its description, how long a step takes, what bounds it, where the
// time goes, what memory holds and which resources are busiest. No line is longer than kLineWidth.
std::string step_text(const explain::StepResult& result, const std::string& description = {});

}  // namespace cairn::report
