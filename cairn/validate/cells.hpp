// Cells common to several kinds of measurements.
#pragma once

#include <initializer_list>
#include <string_view>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/validate/measured_table.hpp"

namespace cairn::validate {

inline constexpr double kMicro = 1e-6;

Seconds microseconds(const MeasuredRow& row, std::string_view column);

// From the column `dtype`.
chip::Precision precision_of(const MeasuredRow& row);

// 0 or 1.
bool flag(const MeasuredRow& row, std::string_view column);

// The cell of a column that has one of these values; by default the first.
std::string_view choice(const MeasuredRow& row,
                        std::string_view column,
                        std::initializer_list<std::string_view> values);

// Check a column that is not compared: above 0; 0 or more.
void check_positive(const MeasuredRow& row, std::string_view column);
void check_not_negative(const MeasuredRow& row, std::string_view column);

// From the column `cache`, by default `warm`: inputs are cached by the previous run.
bool is_warm(const MeasuredRow& row);

}  // namespace cairn::validate
