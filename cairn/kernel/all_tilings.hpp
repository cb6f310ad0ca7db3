// What main memory moves for a product, however it is tiled.
#pragma once

#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

// The different amounts that main memory moves under the tilings that best_mapping (tiling.hpp)
// chooses from, from the fewest bytes: for every tile of the cores, in any number of parts of its
// sums, every block of tiles in work at a time, and every part of an operand that the outermost
// level may hold.
std::vector<Bytes> memory_of_all_tilings(const Work& work, const chip::Device& device);

}  // namespace cairn::kernel
