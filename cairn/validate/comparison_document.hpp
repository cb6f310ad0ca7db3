// Predictions beside measurements, as a document.
#pragma once

#include "cairn/report/document.hpp"
#include "cairn/validate/comparison.hpp"

namespace cairn::validate {

// Errors in all and by group, then the worst rows with what bounds them.
report::Document document_of(const Comparison& comparison);

// Predicted over measured, a series per group.
report::Chart comparison_chart(const Comparison& comparison);

}  // namespace cairn::validate
