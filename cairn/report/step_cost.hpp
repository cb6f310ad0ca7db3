// Power, energy and cost of a training step in its document.
#pragma once

#include "cairn/explain/step_result.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

void add_power(const explain::StepResult& result, Document& document);
void add_cost(const explain::StepResult& result, Document& document);

}  // namespace cairn::report
