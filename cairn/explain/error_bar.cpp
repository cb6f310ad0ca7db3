#include "cairn/explain/error_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace cairn::explain {

namespace {

// The kind of measurement of an operator's kernels.
std::string_view measured_as(std::optional<chip::LibraryOperator> op) {
  using Op = chip::LibraryOperator;
  if (op == Op::kConvolution) {
    return "conv";
  }
  if (op == Op::kFullyConnected || op == Op::kMatmul) {
    return "gemm";
  }
  if (op == Op::kAttention || op == Op::kAttentionBackward) {
    return "attention";
  }
  return op == Op::kRecurrent ? "recurrent" : "memory_bound";
}

}  // namespace

ErrorBar error_bar(std::span<const TimedKernel> kernels, const chip::Device& device) {
  constexpr double kNegligible = 0.01;
  if (!device.calibration) {
    return {};
  }
  const chip::Calibration& calibration = *device.calibration;
  if (!calibration.changed.empty()) {
    return {.why_none = fmt::format("{} changed since the device was calibrated",
                                    fmt::join(calibration.changed, ", "))};
  }
  double all = 0.0;
  double known = 0.0;
  double error = 0.0;
  std::vector<std::string_view> unknown;
  for (const TimedKernel& kernel : kernels) {
    const std::string_view name = measured_as(kernel.op);
    const auto kind = std::ranges::find(calibration.kinds, name, &chip::CalibratedKind::kind);
    all += kernel.time.si();
    if (kind != calibration.kinds.end() && kind->held_out > 0.0) {
      known += kernel.time.si();
      error += kernel.time.si() * kind->held_out_error;
    } else if (std::ranges::find(unknown, name) == unknown.end()) {
      unknown.push_back(name);
    }
  }
  if (all == 0.0) {
    return {.why_none = "no kernel runs on the device"};
  }
  if (all - known > kNegligible * all) {
    return {.why_none = fmt::format("{:.0f} % of the time is in kernels of kinds without held-out "
                                    "measurements in the calibration ({})",
                                    100.0 * (all - known) / all,
                                    fmt::join(unknown, ", "))};
  }
  return {.error = error / known, .time = Seconds(known)};
}

}  // namespace cairn::explain
