// All parallelization strategies for a number of devices, as the choices of an axis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/explore/device_counts.hpp"
#include "cairn/plan/strategy.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

// In strategy notation, "RC-4-2-d3-p2": all axis sizes whose product is `devices`, with these
// numbers of pipeline stages (empty: any). Each strategy once: RC-1-1-d8 is d8.
std::vector<std::string> all_spreads(std::uint32_t devices,
                                     const std::vector<plan::Parallelism>& kinds,
                                     const std::vector<std::uint32_t>& stages);

struct SpreadChoices {
  std::vector<std::string> strategies{};
  // Limits each platform to the strategies for its device count; none: all counts are equal.
  std::optional<search::Restriction> restriction{};
};

// The spreads of each of the device counts.
SpreadChoices spread_choices(const DeviceCounts& counts,
                             const std::vector<plan::Parallelism>& kinds,
                             const std::vector<std::uint32_t>& stages);

}  // namespace cairn::explore
