#include "cairn/report/chrome_trace.hpp"

#include <fmt/format.h>

#include <vector>

#include "cairn/report/collective_rows.hpp"
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
  writer.finish();
}

}  // namespace cairn::report
