// One operator on one device, for people and programs.
#pragma once

#include <string>

#include "cairn/chip/device.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/kernel/total.hpp"

namespace cairn::report {

struct KernelReport {
  std::string what{};  // "gemm of 4096 x 4096 x 4096"
  std::string pass{};
  chip::Precision precision{};
  kernel::Total total{};
  explain::ErrorBar error_bar{};
};

std::string kernel_text(const KernelReport& report, const chip::Device& device);

// {"time_s", "flops", "bound_by", "tiling": {...} or null, "traffic": [{"name", "moved_B",
// "time_s"}]}
std::string kernel_json(const KernelReport& report, const chip::Device& device);

}  // namespace cairn::report
