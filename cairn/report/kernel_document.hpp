// The cost of one operator on one device, as a document.
#pragma once

#include <string>

#include "cairn/chip/device.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/kernel/total.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

struct KernelReport {
  std::string what{};  // "gemm, m = 4096, n = 4096, k = 4096"
  std::string pass{};
  chip::Precision precision{};
  kernel::Total total{};
  explain::ErrorBar error_bar{};
};

Document document_of(const KernelReport& report, const chip::Device& device);

}  // namespace cairn::report
