// Predictions beside measurements, for people and programs.
#pragma once

#include <string>

#include "cairn/report/chart.hpp"
#include "cairn/validate/comparison.hpp"

namespace cairn::validate {

// Errors in all and by group, then the worst rows with what bounds them.
std::string comparison_text(const Comparison& comparison);

// {"kind", "file", "device", "mean_abs_error", "median_abs_error", "p90_abs_error",
// "max_abs_error", "bias", "correlation", "groups": [...], "cases": [{"name", "group", "line",
// "measured_s", "predicted_s", "error", "bound_by"}], "left_out": [...]}
std::string comparison_json(const Comparison& comparison);

// Predicted over measured, a series per group.
report::Chart comparison_chart(const Comparison& comparison);

}  // namespace cairn::validate
