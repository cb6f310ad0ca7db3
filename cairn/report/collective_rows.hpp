// Where the spans of a collective are shown: a group of rows for each device or class of devices,
// in it as many rows for each part, phase and way as its spans overlap; then a row for each link.
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
  // "part 2 of 6, phase 1 of 2, over device 0 -> device 1"; those at the same time end in "(2)".
  std::vector<std::string> rows{};
  std::vector<PlacedSpan> spans{};  // by group, then part, phase and links, then time
};

// They point into `result`.
CollectiveRows rows_of(const explain::CollectiveResult& result);

// Without a break, a link had something under way: so many messages.
struct LinkBusy {
  std::string link{};
  Seconds begin{};
  Seconds end{};
  std::size_t messages = 0;
};

// By link, in the order in which the result has them (busiest first), at most `most` of them; then
// by time.
std::vector<LinkBusy> links_busy(const explain::CollectiveResult& result, std::size_t most);

}  // namespace cairn::report
