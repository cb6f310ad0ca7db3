// Every way to spread training over a number of devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/plan/strategy.hpp"

namespace cairn::explore {

// In the notation of strategies, "RC-4-2-d3-p2": all sizes of the axes that make up `devices`, with
// these numbers of stages; empty: with any. Each spread once: RC-1-1-d8 is d8.
std::vector<std::string> all_spreads(std::uint32_t devices,
                                     const std::vector<plan::Parallelism>& kinds,
                                     const std::vector<std::uint32_t>& stages);

}  // namespace cairn::explore
