// Devices renumbered by a symmetry of the platform, so that lists of devices which it maps onto
// each other become equal.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

// The ranks to which a symmetry of the platform maps `ranks`: where coordinates may be interchanged
// (Interchange) they are numbered in the order of their first appearance; otherwise, on a
// shift-symmetric platform, the first device gets coordinate 0.
std::vector<std::uint32_t> renumbered(const Platform& platform, std::vector<std::uint32_t> ranks);

}  // namespace cairn::platform
