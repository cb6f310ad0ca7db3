// Where the spans of a collective are shown: a group of rows for each device or class of devices,
// in it as many rows for each part as its spans overlap.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cairn/explain/collective_result.hpp"

namespace cairn::report {

struct PlacedSpan {
  const explain::CollectiveSpan* span = nullptr;
  std::size_t group = 0;
  std::size_t row = 0;  // of CollectiveRows::rows
};

struct CollectiveRows {
  std::vector<std::string> groups{};  // "device 3", in the order in which they first appear
  std::vector<std::string> rows{};    // "part 0", "part 0 +1"
  std::vector<PlacedSpan> spans{};    // by group, then part, then time
};

// They point into `result`.
CollectiveRows rows_of(const explain::CollectiveResult& result);

}  // namespace cairn::report
