// GEMMs.
#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

void predict_gemm(const MeasuredRow& row, Subject& subject, Comparison& comparison) {
  const chip::Precision precision = precision_of(row);
  const double m = row.whole("m", 1);
  const double n = row.whole("n", 1);
  const double k = row.whole("k", 1);
  const bool warm = is_warm(row);
  const Seconds measured = microseconds(row, "time_us");
  const char* const cache = warm ? "warm" : "cold";
  const std::string name = fmt::format("{} {} x {} x {}, {}", row.text("dtype"), m, n, k, cache);
  kernel::Work work = kernel::work_of(model::Contraction{.m = m, .n = n, .k = k}, precision);
  work = warm ? repeated(work, subject.device()) : work;
  const kernel::Cost& cost = subject.kernels.cost(work);
  comparison.cases.push_back(
      {.name = name,
       .group = fmt::format("{} {}, {}", row.text("dtype"), class_of(m, n, k), cache),
       .shape = fmt::format("{} rows", m),
       .line = row.line(),
       .measured = measured,
       .predicted = cost.time,
       .bound_by = to_text(cost.bound_by)});
}

}  // namespace cairn::validate
