// Timeline rows of a collective: a group of rows per device or device class. Within a group, each
// part, phase and route has as many rows as spans overlap. Links follow, one row each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cairn/explain/collective_result.hpp"

namespace cairn::report {

struct PlacedSpan {
  const explain::CollectiveSpan* span = nullptr;
  std::size_t group = 0;
  std::size_t row = 0;  // index into CollectiveRows::rows
};

struct CollectiveRows {
  std::vector<std::string> groups{};  // "device 3", in the order in which they first appear
  // "part 2 of 6, phase 1 of 2, over device 0 -> device 1"; concurrent ones end in "(2)".
  std::vector<std::string> rows{};
  std::vector<PlacedSpan> spans{};  // by group, then part, phase and links, then time
};

// The spans point into `result`.
CollectiveRows rows_of(const explain::CollectiveResult& result);

// An uninterrupted busy interval of a link, and the number of its messages.
struct LinkBusyInterval {
  std::string link{};
  Seconds begin{};
  Seconds end{};
  std::size_t messages = 0;
};

// Sorted by link, in the order of the result (busiest first, at most `max_links` of them), then by
// time.
std::vector<LinkBusyInterval> link_busy_intervals(const explain::CollectiveResult& result,
                                                  std::size_t max_links);

}  // namespace cairn::report
