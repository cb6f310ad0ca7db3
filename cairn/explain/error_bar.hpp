// How far off a prediction may be, from how far off kernels of its kinds were.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/cost.hpp"

namespace cairn::explain {

struct ErrorBar {
  // The mean error of kernels that the device was not calibrated on, by kind of measurement,
  // weighted with the time that kernels of that kind take.
  std::optional<double> error{};
  // Why there is none though the device is calibrated: it was changed since, or kernels of a kind
  // that was not measured take more than a hundredth of the time. Nothing where it is not
  // calibrated.
  std::string why_none{};
};

// What a kernel is among the device's library's, and how long it takes.
struct TimedKernel {
  std::optional<chip::LibraryOperator> op{};
  Seconds time{0.0};
};

ErrorBar error_bar(std::span<const TimedKernel> kernels, const chip::Device& device);

}  // namespace cairn::explain
