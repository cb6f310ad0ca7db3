#include "cairn/report/labelled.hpp"

#include <fmt/format.h>

#include "cairn/report/table.hpp"

namespace cairn::report {

std::string labelled(std::string_view label, const std::string& value) {
  return fmt::format("{:<{}}{}\n", label, kLabelWidth, wrap_text(value, kLabelWidth));
}

std::string noted(const std::string& value, const std::string& note) {
  return fmt::format("{:<12}  {}", value, note);
}

std::string more_text(std::uint64_t left_out) {
  return left_out == 0 ? "" : fmt::format("and {} more; --json has all\n", left_out);
}

}  // namespace cairn::report
