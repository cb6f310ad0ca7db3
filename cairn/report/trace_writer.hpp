// Chrome's trace format, event by event: {"traceEvents": [...]}. Times are microseconds, with
// picoseconds as six digits after the point.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "cairn/base/quantity.hpp"

namespace cairn::report {

// Text as JSON: in quotes, escaped.
std::string json_quoted(const std::string& text);

class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out);

  void process_name(std::size_t process, const std::string& name);
  void thread_name(std::size_t process, std::size_t thread, const std::string& name);

  // `arguments` is the inside of a JSON object: `"chunk": 7`.
  void span(std::size_t process,
            std::size_t thread,
            const std::string& name,
            Seconds begin,
            Seconds end,
            const std::string& arguments);

  // From `at` on, until the next of the same name.
  void counter(std::size_t process,
               const std::string& name,
               const std::string& unit,
               Seconds at,
               double value);

  void finish();

 private:
  void event(const std::string& text);

  std::ostream& out_;
  bool first_ = true;
};

// Gives each span, in order of their beginnings, the lowest row that is free by then.
class TraceRows {
 public:
  std::uint32_t place(Seconds begin, Seconds end);

 private:
  template <class T>
  using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

  LeastFirst<std::pair<Seconds, std::uint32_t>> busy_;
  LeastFirst<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

}  // namespace cairn::report
