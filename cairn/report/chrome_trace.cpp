#include "cairn/report/chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "cairn/report/trace_writer.hpp"

namespace cairn::report {

namespace {

using explain::CollectiveSpan;

}  // namespace

void write_chrome_trace(const explain::CollectiveResult& result, std::ostream& out) {
  std::map<std::string, std::size_t> processes;  // by track, numbered as they first appear
  std::vector<std::size_t> process_of;
  std::vector<std::size_t> order;
  TraceWriter writer(out);
  for (const CollectiveSpan& span : result.spans) {
    const auto [known, added] = processes.emplace(span.track, processes.size());
    if (added) {
      writer.process_name(known->second, span.track);
    }
    order.push_back(process_of.size());
    process_of.push_back(known->second);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const CollectiveSpan& span = result.spans[i];
    return std::tuple(process_of[i], span.part, span.begin);
  });

  std::size_t next_thread = 0;
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t process = process_of[order[i]];
    const std::uint32_t part = result.spans[order[i]].part;
    std::vector<std::size_t> threads;  // by row
    TraceRows rows;
    for (; i < order.size(); ++i) {
      const CollectiveSpan& span = result.spans[order[i]];
      if (process_of[order[i]] != process || span.part != part) {
        break;
      }
      const std::uint32_t row = rows.place(span.begin, span.end);
      if (row == threads.size()) {
        threads.push_back(next_thread++);
        writer.thread_name(
            process,
            threads.back(),
            row == 0 ? fmt::format("part {}", part) : fmt::format("part {} +{}", part, row));
      }
      writer.span(process,
                  threads[row],
                  span.name,
                  span.begin,
                  span.end,
                  fmt::format(R"("chunk": {})", span.chunk));
    }
  }
  writer.finish();
}

}  // namespace cairn::report
