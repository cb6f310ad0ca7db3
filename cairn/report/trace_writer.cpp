#include "cairn/report/trace_writer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace cairn::report {

namespace {

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

TraceWriter::TraceWriter(std::ostream& out) : out_(out) {
  out_ << R"({"displayTimeUnit": "ns", "traceEvents": [)";
}

void TraceWriter::process_name(std::size_t process, const std::string& name) {
  event(name_event("process_name", process, 0, name));
}

void TraceWriter::thread_name(std::size_t process, std::size_t thread, const std::string& name) {
  event(name_event("thread_name", process, thread, name));
}

void TraceWriter::span(std::size_t process,
                       std::size_t thread,
                       const std::string& name,
                       Seconds begin,
                       Seconds end,
                       const std::string& arguments) {
  event(
      fmt::format(R"({{"ph": "X", "name": {}, "pid": {}, "tid": {}, "ts": {:.6f}, "dur": {:.6f}, )"
                  R"("args": {{{}}}}})",
                  json_quoted(name),
                  process,
                  thread,
                  begin.si() * 1e6,
                  (end - begin).si() * 1e6,
                  arguments));
}

void TraceWriter::counter(std::size_t process,
                          const std::string& name,
                          const std::string& unit,
                          Seconds at,
                          double value) {
  event(fmt::format(
      R"({{"ph": "C", "name": {}, "pid": {}, "tid": 0, "ts": {:.6f}, "args": {{{}: {}}}}})",
      json_quoted(name),
      process,
      at.si() * 1e6,
      json_quoted(unit),
      value));
}

void TraceWriter::finish() {
  out_ << "\n]}\n";
}

void TraceWriter::event(const std::string& text) {
  out_ << (first_ ? "\n" : ",\n") << text;
  first_ = false;
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
