#include "cairn/report/collective_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "cairn/report/trace_writer.hpp"

namespace cairn::report {

namespace {

// ", over y+", ", over 6 links"; empty if the span crosses no link.
std::string route_of(const explain::CollectiveResult& result, const explain::CollectiveSpan& span) {
  constexpr std::size_t kNamed = 2;
  if (span.links.empty()) {
    return "";
  }
  if (span.links.size() > kNamed) {
    return fmt::format(", over {} links", span.links.size());
  }
  std::string names;
  for (const std::uint32_t link : span.links) {
    names += (names.empty() ? ", over " : " and ") + result.recorded_links[link];
  }
  return names;
}

// Number of phases, by part.
std::map<std::uint32_t, std::uint32_t> phases_of_parts(const explain::CollectiveResult& result) {
  std::map<std::uint32_t, std::uint32_t> phases;
  for (const explain::CollectiveSpan& span : result.spans) {
    phases[span.part] = std::max(phases[span.part], span.phase + 1);
  }
  return phases;
}

auto row_key(const PlacedSpan& each) {
  return std::tie(each.group, each.span->part, each.span->phase, each.span->links);
}

}  // namespace

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
  std::ranges::stable_sort(placed.spans, [](const PlacedSpan& a, const PlacedSpan& b) {
    return std::tuple_cat(row_key(a), std::tie(a.span->begin)) <
           std::tuple_cat(row_key(b), std::tie(b.span->begin));
  });
  const std::map<std::uint32_t, std::uint32_t> phases = phases_of_parts(result);
  const auto name_of = [&](const explain::CollectiveSpan& span) {
    std::string name;
    if (phases.size() > 1) {
      const auto before = std::distance(phases.begin(), phases.find(span.part));
      name = fmt::format("part {} of {}, ", before + 1, phases.size());
    }
    return name + fmt::format("phase {} of {}", span.phase + 1, phases.at(span.part)) +
           route_of(result, span);
  };
  for (std::size_t i = 0; i < placed.spans.size();) {
    const PlacedSpan& first = placed.spans[i];
    const std::size_t first_row = placed.rows.size();
    TraceRows rows;
    for (; i < placed.spans.size() && row_key(placed.spans[i]) == row_key(first); ++i) {
      PlacedSpan& each = placed.spans[i];
      const std::uint32_t row = rows.place(each.span->begin, each.span->end);
      each.row = first_row + row;
      if (each.row == placed.rows.size()) {
        placed.rows.push_back(name_of(*each.span) +
                              (row == 0 ? "" : fmt::format(" ({})", row + 1)));
      }
    }
  }
  return placed;
}

std::vector<LinkBusyInterval> link_busy_intervals(const explain::CollectiveResult& result,
                                                  std::size_t max_links) {
  std::map<std::string, std::vector<const explain::CollectiveSpan*>> by_link;
  for (const explain::CollectiveSpan& span : result.spans) {
    for (const std::uint32_t link : span.links) {
      by_link[result.recorded_links[link]].push_back(&span);
    }
  }
  std::vector<LinkBusyInterval> busy;
  std::size_t shown = 0;
  for (const explain::LinkLoad& load : result.links) {
    const auto found = by_link.find(load.name);
    if (found == by_link.end() || shown == max_links) {
      continue;
    }
    ++shown;
    std::vector<const explain::CollectiveSpan*>& spans = found->second;
    std::ranges::stable_sort(spans, {}, &explain::CollectiveSpan::begin);
    const std::size_t first = busy.size();
    for (const explain::CollectiveSpan* span : spans) {
      if (busy.size() == first || span->begin > busy.back().end) {
        busy.push_back({load.name, span->begin, span->end, 0});
      }
      busy.back().end = std::max(busy.back().end, span->end);
      ++busy.back().messages;
    }
    by_link.erase(found);  // links of one name are shown together
  }
  return busy;
}

}  // namespace cairn::report
