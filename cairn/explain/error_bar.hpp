// The expected error of a prediction, from the calibration errors of its kinds of kernels.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/cost.hpp"

namespace cairn::explain {

struct ErrorBar {
  // Mean error on held-out kernels, by kind of measurement, weighted by the time of each kind.
  std::optional<double> error{};
  Seconds time{0.0};  // over which `error` is the mean
  // Why a calibrated device has no error: it was changed since, or more than 1 % of the time is in
  // kernels of kinds without held-out measurements. Empty if the device is not calibrated.
  std::string why_none{};
};

// The library operator of a kernel, and its time.
struct TimedKernel {
  std::optional<chip::LibraryOperator> op{};
  Seconds time{0.0};
};

ErrorBar error_bar(std::span<const TimedKernel> kernels, const chip::Device& device);

}  // namespace cairn::explain
