// Kinds of measurements that are read and not predicted yet.
#include <fmt/format.h>

#include <initializer_list>

#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

void check_sizes(const MeasuredRow& row, std::initializer_list<const char*> columns) {
  for (const char* column : columns) {
    check_positive(row, column);
  }
}

}  // namespace

void skip_chain(const MeasuredRow& row, Subject&, Comparison& comparison) {
  check_sizes(row, {"width", "rows", "time_us"});
  is_warm(row);
  const std::string_view code = choice(row, "code", {"eager", "compiled"});
  comparison.skipped.push_back({fmt::format("{}, {}", row.text("op"), code),
                                row.line(),
                                "chains of element-wise operators are not modelled"});
}

void skip_optimizer(const MeasuredRow& row, Subject&, Comparison& comparison) {
  check_sizes(row, {"tensors", "elements", "time_us"});
  comparison.skipped.push_back(
      {row.text("op"), row.line(), "variants of optimizers are not modelled"});
}

void skip_grouped(const MeasuredRow& row, Subject&, Comparison& comparison) {
  check_sizes(row, {"experts", "m", "n", "k", "time_us"});
  check_not_negative(row, "skew");
  is_warm(row);
  const std::string_view layout = choice(row, "layout", {"nt", "nn", "tn"});
  comparison.skipped.push_back({fmt::format("{} experts, {}", row.text("experts"), layout),
                                row.line(),
                                "products of experts in one kernel are not modelled"});
}

void skip_issue(const MeasuredRow& row, Subject&, Comparison& comparison) {
  check_sizes(row, {"width", "ops", "host_us", "device_us"});
  check_not_negative(row, "launches");
  choice(row, "pass", {"no_grad", "forward", "backward"});
  choice(row, "launch", {"python", "replay"});
  const std::string_view code = choice(row, "code", {"eager", "compiled"});
  comparison.skipped.push_back({fmt::format("{}, {}", row.text("op"), code),
                                row.line(),
                                "the time of the host is not modelled"});
}

void skip_power(const MeasuredRow& row, Subject&, Comparison& comparison) {
  check_sizes(row, {"time_us", "power_W", "memory_clock_MHz"});
  check_not_negative(row, "temperature_C");
  comparison.skipped.push_back({fmt::format("{}: {}", row.text("kind"), row.text("case")),
                                row.line(),
                                "power of single kernels is not modelled"});
}

}  // namespace cairn::validate
