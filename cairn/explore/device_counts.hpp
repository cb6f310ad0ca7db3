// Number of training devices in the designs of a space: platforms and their sizes may vary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "cairn/explore/design_space.hpp"

namespace cairn::explore {

struct DeviceCounts {
  std::vector<std::size_t> axes{};  // axes that it may depend on
  // By the values of these axes (Space::value_or_absent). Omits platforms that cannot be read.
  std::map<search::Point, std::uint32_t> by_values{};
};

// Considers the axes read so far. Throws ConfigError at `where` if no platform can be read, or if
// there are too many.
DeviceCounts device_counts(const DesignSpace& designs,
                           const DataFolders& folders,
                           const Config& where);

}  // namespace cairn::explore
