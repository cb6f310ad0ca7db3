#include "cairn/report/collective_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "cairn/report/trace_writer.hpp"

namespace cairn::report {

CollectiveRows rows_of(const explain::CollectiveResult& result) {
  CollectiveRows placed;
  std::map<std::string, std::size_t> groups;
  for (const explain::CollectiveSpan& span : result.spans) {
    const auto [known, added] = groups.emplace(span.track, groups.size());
    if (added) {
      placed.groups.push_back(span.track);
    }
    placed.spans.push_back({.span = &span, .group = known->second});
  }
  std::ranges::stable_sort(placed.spans, {}, [](const PlacedSpan& each) {
    return std::tuple(each.group, each.span->part, each.span->begin);
  });
  for (std::size_t i = 0; i < placed.spans.size();) {
    const std::size_t group = placed.spans[i].group;
    const std::uint32_t part = placed.spans[i].span->part;
    const std::size_t first_row = placed.rows.size();
    TraceRows rows;
    for (; i < placed.spans.size(); ++i) {
      PlacedSpan& each = placed.spans[i];
      if (each.group != group || each.span->part != part) {
        break;
      }
      const std::uint32_t row = rows.place(each.span->begin, each.span->end);
      each.row = first_row + row;
      if (each.row == placed.rows.size()) {
        placed.rows.push_back(row == 0 ? fmt::format("part {}", part)
                                       : fmt::format("part {} +{}", part, row));
      }
    }
  }
  return placed;
}

}  // namespace cairn::report
