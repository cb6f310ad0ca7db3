#include "cairn/report/trace_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cairn::report {

namespace {

constexpr double kMicroseconds = 1e6;
constexpr double kNames = -1.0;  // sorts before all events

std::string name_event(const char* what,
                       std::size_t process,
                       std::size_t thread,
                       const std::string& name) {
  return fmt::format(R"({{"ph": "M", "name": "{}", "pid": {}, "tid": {}, "args": {{"name": {}}}}})",
                     what,
                     process,
                     thread,
                     json_quoted(name));
}

}  // namespace

std::string json_quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

TraceWriter::TraceWriter(std::ostream& out) : out_(out) {}

void TraceWriter::process_name(std::size_t process, const std::string& name) {
  event(kNames, name_event("process_name", process, 0, name));
}

void TraceWriter::thread_name(std::size_t process, std::size_t thread, const std::string& name) {
  event(kNames, name_event("thread_name", process, thread, name));
}

void TraceWriter::span(std::size_t process,
                       std::size_t thread,
                       const std::string& name,
                       Seconds begin,
                       Seconds end,
                       const std::string& arguments) {
  const double at = begin.si() * kMicroseconds;
  event(
      at,
      fmt::format(R"({{"ph": "X", "name": {}, "pid": {}, "tid": {}, "ts": {:.6f}, "dur": {:.6f}, )"
                  R"("args": {{{}}}}})",
                  json_quoted(name),
                  process,
                  thread,
                  at,
                  (end - begin).si() * kMicroseconds,
                  arguments));
}

void TraceWriter::counter(std::size_t process,
                          const std::string& name,
                          const std::string& unit,
                          Seconds at,
                          double value) {
  event(at.si() * kMicroseconds,
        fmt::format(
            R"({{"ph": "C", "name": {}, "pid": {}, "tid": 0, "ts": {:.6f}, "args": {{{}: {}}}}})",
            json_quoted(name),
            process,
            at.si() * kMicroseconds,
            json_quoted(unit),
            value));
}

void TraceWriter::flow(const Moment& from, const Moment& to) {
  const auto end = [&](const char* kind, const Moment& moment) {
    const double at = moment.at.si() * kMicroseconds;
    event(at,
          fmt::format(R"({{"ph": {}, "name": "waits for", "cat": "flow", "id": {}, "pid": {}, )"
                      R"("tid": {}, "ts": {:.6f}, "args": {{}}}})",
                      kind,
                      flows_,
                      moment.process,
                      moment.thread,
                      at));
  };
  end(R"("s")", from);
  end(R"("f", "bp": "e")", to);
  ++flows_;
}

void TraceWriter::finish() {
  std::ranges::stable_sort(events_, {}, &Event::microseconds);
  out_ << R"({"displayTimeUnit": "ns", "traceEvents": [)";
  const char* separator = "\n";
  for (const Event& event : events_) {
    out_ << separator << std::string_view(text_).substr(event.begin, event.end - event.begin);
    separator = ",\n";
  }
  out_ << "\n]}\n";
}

void TraceWriter::event(double microseconds, const std::string& text) {
  events_.push_back({microseconds, text_.size(), text_.size() + text.size()});
  text_ += text;
}

std::uint32_t TraceRows::place(Seconds begin, Seconds end) {
  while (!busy_.empty() && busy_.top().first <= begin) {
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
  busy_.emplace(end, row);
  return row;
}

}  // namespace cairn::report
