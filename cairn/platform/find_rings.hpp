// Searches a graph for rings, where the topology states none.
#pragma once

#include <vector>

#include "cairn/platform/platform.hpp"

namespace cairn::platform {

inline constexpr std::uint32_t kMaxDevicesToSearch = 16;

// Edge-disjoint rings over all devices, each hop direct or through memory-nodes (switches and
// sockets share their links between all pairs and form no rings). Finds as many as a bounded
// backtracking search reaches, at most half the links of the device with the fewest; deterministic.
// Empty for more than kMaxDevicesToSearch devices or fewer than two.
std::vector<Ring> find_rings(const Platform& platform);

}  // namespace cairn::platform
