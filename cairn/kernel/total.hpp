// Kernels that run one after the other, as the steps of a recurrent layer do.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

struct Total {
  std::size_t kernels = 0;
  Seconds time{0.0};
  Seconds compute{0.0};
  Flops flops{0.0};  // two per MAC, one per element-wise operation
  double utilization = 0.0;
  std::array<Traffic, chip::kMaxLevels> levels{};
  Traffic memory{};
  Cost longest{};  // the longest kernel
};

Total total_of(std::span<const Work> works, const chip::Device& device);

}  // namespace cairn::kernel
