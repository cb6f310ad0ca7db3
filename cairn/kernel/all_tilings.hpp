// Main-memory traffic of a contraction under every tiling.
#pragma once

#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// The distinct amounts of main-memory traffic among the tilings that best_mapping (tiling.hpp)
// chooses from, in ascending order: every tile of the cores, every split-K factor, every block of
// tiles in flight, and every stationary part of an operand in the outermost level.
std::vector<Bytes> memory_of_all_tilings(const Work& work, const chip::Device& device);

}  // namespace cairn::kernel
