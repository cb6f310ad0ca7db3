#include "cairn/validate/cells.hpp"

#include <fmt/format.h>

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

bool is_warm(const MeasuredRow& row) {
  const std::string& cache = row.text("cache");
  if (cache != "" && cache != "warm" && cache != "cold") {
    row.reject("cache", "is unknown (expected warm or cold)");
  }
  return cache != "cold";
}

}  // namespace cairn::validate
