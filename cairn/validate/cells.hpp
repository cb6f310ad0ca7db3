// Cells common to several kinds of measurements.
#pragma once

#include <optional>
#include <string_view>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/validate/measured_table.hpp"

namespace cairn::validate {

inline constexpr double kMicro = 1e-6;

Seconds microseconds(const MeasuredRow& row, std::string_view column);

// From the column `dtype`.
chip::Precision precision_of(const MeasuredRow& row);

// From the column `cache`, by default `warm`: inputs are cached by the previous run.
bool is_warm(const MeasuredRow& row);

}  // namespace cairn::validate
