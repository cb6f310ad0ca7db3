// GEMMs.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "cairn/kernel/last_level_cache.hpp"
#include "cairn/validate/cells.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

// The group of a shape.
const char* class_of(double m, double n, double k) {
  constexpr double kThin = 64.0;
  constexpr double kLarge = 4096.0;
  const double least = std::min({m, n, k});
  if (least <= kThin) {
    return "thin";
  }
  return least >= kLarge ? "large" : "middling";
}

// "bf16 nn, batched", or only the precision if the file has no layouts.
std::string kernel_of(const MeasuredRow& row, std::string_view layout, double count, bool is_fast) {
  if (row.text("layout").empty()) {
    return row.text("dtype");
  }
  return fmt::format("{} {}{}{}",
                     row.text("dtype"),
                     layout,
                     count > 1.0 ? ", batched" : "",
                     is_fast ? ", fast" : "");
}

}  // namespace

void predict_gemm(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const chip::Precision precision = precision_of(row);
  const double m = row.whole("m", 1);
  const double n = row.whole("n", 1);
  const double k = row.whole("k", 1);
  const double count = row.text("batch").empty() ? 1.0 : row.whole("batch", 1);
  const std::string_view layout = choice(row, "layout", {"nt", "nn", "tn"});
  const bool is_fast = !row.text("fast_accumulation").empty() && flag(row, "fast_accumulation");
  const bool warm = is_warm(row);
  const Seconds measured = microseconds(row, "time_us");
  const char* const cache = warm ? "warm" : "cold";
  kernel::Work work =
      kernel::work_of(model::Contraction{.m = m, .n = n, .k = k, .count = count}, precision);
  work = warm ? repeated(work, subject.device()) : work;
  const kernel::Cost& cost = subject.kernels.cost(work);
  const std::string kernel = kernel_of(row, layout, count, is_fast);
  comparison.cases.push_back(
      {.name = fmt::format("{} {} x {} x {}, {}", kernel, m, n, k, cache),
       .group = row.text("layout").empty()
                    ? fmt::format("{} {}, {}", row.text("dtype"), class_of(m, n, k), cache)
                    : kernel,
       .shape = fmt::format("{} rows", m),
       .line = row.line(),
       .measured = measured,
       .predicted = cost.time,
       .bound_by = to_text(cost.bound_by)});
}

}  // namespace cairn::validate
