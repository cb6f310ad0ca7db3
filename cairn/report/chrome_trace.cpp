#include "cairn/report/chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::report {

namespace {

using explain::CollectiveSpan;

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Gives each span, in order of their beginnings, the lowest row that is free by then.
class Rows {
 public:
  std::uint32_t place(const CollectiveSpan& span) {
    while (!busy_.empty() && busy_.top().first <= span.begin) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    std::uint32_t row = count_;
    if (free_.empty()) {
      ++count_;
    } else {
      row = free_.top();
      free_.pop();
    }
    busy_.emplace(span.end, row);
    return row;
  }

 private:
  template <class T>
  using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

  LeastFirst<std::pair<Seconds, std::uint32_t>> busy_;
  LeastFirst<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

// Writes the parts of {"traceEvents": [...]}.
class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out) : out_(out) {
    out_ << R"({"displayTimeUnit": "ns", "traceEvents": [)";
  }

  void name(const char* what, std::size_t process, std::size_t thread, const std::string& name) {
    event(
        fmt::format(R"({{"ph": "M", "name": "{}", "pid": {}, "tid": {}, "args": {{"name": {}}}}})",
                    what,
                    process,
                    thread,
                    quoted(name)));
  }

  // Picoseconds are exact: six digits after the point.
  void span(const CollectiveSpan& span, std::size_t process, std::size_t thread) {
    event(fmt::format(
        R"({{"ph": "X", "name": {}, "pid": {}, "tid": {}, "ts": {:.6f}, "dur": {:.6f}, )"
        R"("args": {{"chunk": {}}}}})",
        quoted(span.name),
        process,
        thread,
        span.begin.si() * 1e6,
        (span.end - span.begin).si() * 1e6,
        span.chunk));
  }

  void finish() { out_ << "\n]}\n"; }

 private:
  void event(const std::string& text) {
    out_ << (first_ ? "\n" : ",\n") << text;
    first_ = false;
  }

  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

void write_chrome_trace(const explain::CollectiveResult& result, std::ostream& out) {
  std::map<std::string, std::size_t> processes;  // by track, numbered as they first appear
  std::vector<std::size_t> process_of;
  std::vector<std::size_t> order;
  TraceWriter writer(out);
  for (const CollectiveSpan& span : result.spans) {
    const auto [known, added] = processes.emplace(span.track, processes.size());
    if (added) {
      writer.name("process_name", known->second, 0, span.track);
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
    Rows rows;
    for (; i < order.size(); ++i) {
      const CollectiveSpan& span = result.spans[order[i]];
      if (process_of[order[i]] != process || span.part != part) {
        break;
      }
      const std::uint32_t row = rows.place(span);
      if (row == threads.size()) {
        threads.push_back(next_thread++);
        writer.name(
            "thread_name",
            process,
            threads.back(),
            row == 0 ? fmt::format("part {}", part) : fmt::format("part {} +{}", part, row));
      }
      writer.span(span, process, threads[row]);
    }
  }
  writer.finish();
}

}  // namespace cairn::report
