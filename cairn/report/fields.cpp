#include "cairn/report/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::report {

namespace {

Value resource_of(const explain::Bound& bound) {
  return bound.resource.empty() ? Value(nullptr) : Value(bound.resource);
}

}  // namespace

void add_bound(Document& document, const explain::Bound& bound) {
  document.add(Field{.key = "bound_by", .value = bound.text, .label = "bound by"});
  document.add("bound_by_kind", enum_name(bound.kind));
  document.add("bound_by_resource", resource_of(bound));
}

void add_bound(Object& part, const explain::Bound& bound) {
  part.push_back({"bound_by", bound.text});
  part.push_back({"bound_by_kind", enum_name(bound.kind)});
  part.push_back({"bound_by_resource", resource_of(bound)});
}

void add_error_bar(Document& document, const explain::ErrorBar& bar) {
  if (!bar.error && bar.why_none.empty()) {
    return;
  }
  document.add(
      Field{.key = "error_bar",
            .value = bar.error,
            .label = "error bar",
            .text = bar.error ? percent(*bar.error) : "none",
            .note = bar.error ? "mean error on kernels not used for calibration" : bar.why_none});
  document.add("why_no_error_bar", if_given(bar.error ? "" : bar.why_none));
}

std::string percent(double part) {
  return fmt::format("{:.1f} %", 100.0 * part);
}

std::string bar(double part) {
  constexpr std::size_t kWidth = 10;
  const double marks = std::round(std::clamp(part, 0.0, 1.0) * double{kWidth});
  std::string text(static_cast<std::size_t>(marks), '#');
  text.resize(kWidth, '.');
  return text;
}

}  // namespace cairn::report
