// The document of predictions against measurements.
#pragma once

#include "cairn/report/document.hpp"
#include "cairn/validate/comparison.hpp"

namespace cairn::validate {

// Errors by group and in total, then the worst rows with their bounds.
report::Document document_of(const Comparison& comparison);

// Predicted against measured, one series per group.
report::Chart comparison_chart(const Comparison& comparison);

}  // namespace cairn::validate
