// Cells that several kinds of measurements have.
#pragma once

#include <optional>
#include <string_view>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/validate/measured_table.hpp"

namespace cairn::validate {

inline constexpr double kMicro = 1e-6;

Seconds microseconds(const MeasuredRow& row, std::string_view column);

// Of the column `dtype`.
chip::Precision precision_of(const MeasuredRow& row);

// Of the column `cache`, `warm` where that is absent: what is read was read just before.
bool is_warm(const MeasuredRow& row);

}  // namespace cairn::validate
