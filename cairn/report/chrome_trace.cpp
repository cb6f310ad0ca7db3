#include "cairn/report/chrome_trace.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "cairn/base/count_text.hpp"
#include "cairn/report/collective_rows.hpp"
#include "cairn/report/drawn_rate.hpp"
#include "cairn/report/fields.hpp"
#include "cairn/report/trace_writer.hpp"

namespace cairn::report {

namespace {

using explain::CollectiveResult;
using explain::CollectiveSpan;

void write_devices(const CollectiveRows& placed, TraceWriter& writer) {
  for (std::size_t group = 0; group < placed.groups.size(); ++group) {
    writer.process_name(group, placed.groups[group]);
  }
  std::vector<bool> named(placed.rows.size(), false);
  for (const PlacedSpan& each : placed.spans) {
    if (!named[each.row]) {
      writer.thread_name(each.group, each.row, placed.rows[each.row]);
      named[each.row] = true;
    }
    writer.span(each.group,
                each.row,
                each.span->name,
                each.span->begin,
                each.span->end,
                fmt::format(R"("chunk": {})", each.span->chunk));
  }
}

// Payload draws of messages, by link name.
std::map<std::string, std::vector<DrawTime>> draws_of(const CollectiveResult& result) {
  std::map<std::string, std::vector<DrawTime>> draws;
  for (const CollectiveSpan& span : result.spans) {
    for (std::size_t i = 0; i < span.drawn.size() && span.end > span.submitted; ++i) {
      draws[result.recorded_links[span.links[i]]].push_back(
          {span.submitted, span.begin, span.end, span.drawn[i].si()});
    }
  }
  return draws;
}

// Total payload bandwidth of all links of one name.
double capacity_of(const CollectiveResult& result, const std::string& link) {
  double capacity = 0.0;
  for (const explain::LinkLoad& load : result.links) {
    capacity += load.name == link ? load.bandwidth.si() * load.payload : 0.0;
  }
  return capacity;
}

// Links belong to no device.
void write_links(const CollectiveResult& result,
                 std::size_t process,
                 std::size_t first_row,
                 TraceWriter& writer) {
  std::map<std::string, std::vector<DrawTime>> draws = draws_of(result);
  std::string link;
  std::size_t row = first_row;
  for (const LinkBusyInterval& each : link_busy_intervals(result, result.links.size())) {
    if (link.empty()) {
      writer.process_name(process, "links, busiest first");
    }
    if (each.link != link) {
      link = each.link;
      writer.thread_name(process, ++row, link);
      for (const RatePoint& point : drawn_rate(draws[link], capacity_of(result, link))) {
        writer.counter(process, link, "B/s", point.at, point.rate);
      }
    }
    writer.span(process,
                row,
                count_text(each.messages, "message", "messages"),
                each.begin,
                each.end,
                fmt::format(R"("messages": {})", each.messages));
  }
}

// From the end of a predecessor to the begin of the message that waited for it.
void write_flows(const CollectiveResult& result,
                 const CollectiveRows& placed,
                 TraceWriter& writer) {
  std::vector<const PlacedSpan*> place(result.spans.size(), nullptr);
  for (const PlacedSpan& each : placed.spans) {
    place[static_cast<std::size_t>(each.span - result.spans.data())] = &each;
  }
  for (const auto& [from, to] : result.flows) {
    const CollectiveSpan& before = result.spans[from];
    const CollectiveSpan& after = result.spans[to];
    if (has_inside(before.begin, before.end) && has_inside(after.begin, after.end)) {
      writer.flow({place[from]->group, place[from]->row, before.end - kTraceTick},
                  {place[to]->group, place[to]->row, after.begin});
    }
  }
}

}  // namespace

void write_chrome_trace(const CollectiveResult& result, std::ostream& out) {
  const CollectiveRows placed = rows_of(result);
  TraceWriter writer(out);
  write_devices(placed, writer);
  write_links(result, placed.groups.size(), placed.rows.size(), writer);
  write_flows(result, placed, writer);
  writer.finish();
}

}  // namespace cairn::report
