#include "cairn/report/labelled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

constexpr std::size_t kBarWidth = 10;

}  // namespace

std::string labelled(std::string_view label, const std::string& value) {
  return fmt::format("{:<{}}{}\n", label, kLabelWidth, wrap_text(value, kLabelWidth));
}

std::string noted(const std::string& value, const std::string& note) {
  return fmt::format("{:<12}  {}", value, note);
}

std::string error_bar_line(const explain::ErrorBar& bar) {
  constexpr const char* kLabel = "error bar";
  if (bar.error) {
    return labelled(
        kLabel,
        noted(percent(*bar.error), "mean, of kernels that the device was not calibrated on"));
  }
  return bar.why_none.empty() ? "" : labelled(kLabel, noted("none", bar.why_none));
}

std::string percent(double part) {
  return fmt::format("{:.1f} %", 100.0 * part);
}

std::string count(std::uint64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string more_text(std::uint64_t left_out) {
  return left_out == 0 ? "" : fmt::format("and {} more; --json has all\n", left_out);
}

std::string bar(double part) {
  const double marks = std::round(std::clamp(part, 0.0, 1.0) * double{kBarWidth});
  std::string text(static_cast<std::size_t>(marks), '#');
  text.resize(kBarWidth, '.');
  return text;
}

}  // namespace cairn::report
