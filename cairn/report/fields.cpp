#include "cairn/report/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::report {

void add_bound(Document& document,
               const std::string& words,
               explain::BoundKind kind,
               const std::string& resource) {
  document.add(Field{.key = "bound_by", .value = words, .label = "bound by"});
  document.add("bound_by_kind", enum_name(kind));
  document.add("bound_by_resource", resource.empty() ? Value(nullptr) : Value(resource));
}

void add_error_bar(Document& document, const explain::ErrorBar& bar) {
  if (!bar.error && bar.why_none.empty()) {
    return;
  }
  document.add(Field{
      .key = "error_bar",
      .value = bar.error,
      .label = "error bar",
      .text = bar.error ? percent(*bar.error) : "none",
      .note = bar.error ? "mean, of kernels that the device was not calibrated on" : bar.why_none});
  document.add("why_no_error_bar", if_said(bar.error ? "" : bar.why_none));
}

std::string percent(double part) {
  return fmt::format("{:.1f} %", 100.0 * part);
}

std::string count(std::uint64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string bar(double part) {
  constexpr std::size_t kWidth = 10;
  const double marks = std::round(std::clamp(part, 0.0, 1.0) * double{kWidth});
  std::string text(static_cast<std::size_t>(marks), '#');
  text.resize(kWidth, '.');
  return text;
}

}  // namespace cairn::report
