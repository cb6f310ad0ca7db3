// How many devices train in the designs of a space: platforms and their sizes may vary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "cairn/explore/design_space.hpp"

namespace cairn::explore {

struct DeviceCounts {
  std::vector<std::size_t> axes{};  // on which it may depend
  // By the values of these, `Space::value_or_absent`. Not of a platform that cannot be read.
  std::map<search::Point, std::uint32_t> by_values{};
};

// Of the axes that there are so far. `where` asks for it. Throws ConfigError if no platform can be
// read, or if there are too many to look at.
DeviceCounts device_counts(const DesignSpace& designs,
                           const DataFolders& folders,
                           const Config& where);

}  // namespace cairn::explore
