#include "cairn/remote/free_ranges.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::remote {

FreeRanges::FreeRanges(PageRange all) : total_(all.count) {
  if (all.count > 0) {
    count_of_.emplace(all.first, all.count);
  }
}

std::optional<std::uint64_t> FreeRanges::take_consecutive(std::uint64_t count) {
  const auto range = std::ranges::find_if(
      count_of_, [&](const auto& candidate) { return candidate.second >= count; });
  if (range == count_of_.end()) {
    return std::nullopt;
  }
  const std::uint64_t first = range->first;
  take_from(range, count);
  return first;
}

std::vector<PageRange> FreeRanges::take_anywhere(std::uint64_t count) {
  ensure(count <= total_, "more pages taken than free");
  std::vector<PageRange> taken;
  for (auto range = count_of_.begin(); count > 0;) {
    const PageRange part{.first = range->first, .count = std::min(range->second, count)};
    range = take_from(range, part.count);
    taken.push_back(part);
    count -= part.count;
  }
  return taken;
}

void FreeRanges::give_back(PageRange range) {
  auto above = count_of_.lower_bound(range.first);
  ensure(above == count_of_.end() || range.end() <= above->first, "pages given back twice");
  total_ += range.count;
  if (above != count_of_.end() && above->first == range.end()) {
    range.count += above->second;
    above = count_of_.erase(above);
  }
  if (above != count_of_.begin()) {
    const auto below = std::prev(above);
    ensure(below->first + below->second <= range.first, "pages given back twice");
    if (below->first + below->second == range.first) {
      below->second += range.count;
      return;
    }
  }
  count_of_.emplace_hint(above, range.first, range.count);
}

// Takes the first `count` pages of a range; returns the next range.
FreeRanges::Ranges::iterator FreeRanges::take_from(Ranges::iterator range, std::uint64_t count) {
  const PageRange rest{.first = range->first + count, .count = range->second - count};
  total_ -= count;
  const auto next = count_of_.erase(range);
  return rest.count == 0 ? next : count_of_.emplace_hint(next, rest.first, rest.count);
}

}  // namespace cairn::remote
