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
  Flops flops{0.0};  // two for each product, one for each operation on an element
  double utilization = 0.0;
  std::array<Traffic, chip::kMostLevels> levels{};
  Traffic memory{};
  Cost longest{};  // of these
};

Total total_of(std::span<const Work> works, const chip::Device& device);

}  // namespace cairn::kernel
