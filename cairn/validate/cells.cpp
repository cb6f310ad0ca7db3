#include "cairn/validate/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/base/failure.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::validate {

Seconds microseconds(const MeasuredRow& row, std::string_view column) {
  return Seconds(row.positive(column) * kMicro);
}

chip::Precision precision_of(const MeasuredRow& row) {
  std::string known;
  for (const auto& [precision, name] : EnumNames<chip::Precision>::kNames) {
    if (row.text("dtype") == name) {
      return precision;
    }
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  row.reject("dtype", fmt::format("is not a precision (expected one of: {})", known));
}

bool flag(const MeasuredRow& row, std::string_view column) {
  if (row.text(column) != "0" && row.text(column) != "1") {
    row.reject(column, "is unknown (expected 0 or 1)");
  }
  return row.text(column) == "1";
}

std::string_view choice(const MeasuredRow& row,
                        std::string_view column,
                        std::initializer_list<std::string_view> values) {
  const std::string& cell = row.text(column);
  if (cell.empty()) {
    return *values.begin();
  }
  const auto* const found = std::ranges::find(values, cell);
  if (found == values.end()) {
    const std::string last(*(values.end() - 1));
    row.reject(column,
               fmt::format("is unknown (expected {} or {})",
                           fmt::join(values.begin(), values.end() - 1, ", "),
                           last));
  }
  return *found;
}

void check_positive(const MeasuredRow& row, std::string_view column) {
  static_cast<void>(row.positive(column));
}

void check_not_negative(const MeasuredRow& row, std::string_view column) {
  if (row.number(column) < 0.0) {
    row.reject(column, "is out of range (expected 0 or more)");
  }
}

bool is_warm(const MeasuredRow& row) {
  return choice(row, "cache", {"warm", "cold"}) == "warm";
}

}  // namespace cairn::validate
