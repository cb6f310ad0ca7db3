#include "cairn/report/chrome_trace.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cairn/report/collective_rows.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/trace_writer.hpp"

namespace cairn::report {

void write_chrome_trace(const explain::CollectiveResult& result, std::ostream& out) {
  const CollectiveRows placed = rows_of(result);
  TraceWriter writer(out);
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
  // Links, which belong to no device, after these.
  const std::size_t links = placed.groups.size();
  std::string link;
  std::size_t row = placed.rows.size();
  for (const LinkBusy& each : links_busy(result, result.links.size())) {
    if (link.empty()) {
      writer.process_name(links, "links, the busiest first");
    }
    if (each.link != link) {
      link = each.link;
      writer.thread_name(links, ++row, link);
    }
    writer.span(links,
                row,
                count(each.messages, "message", "messages"),
                each.begin,
                each.end,
                fmt::format(R"("messages": {})", each.messages));
  }
  writer.finish();
}

}  // namespace cairn::report
