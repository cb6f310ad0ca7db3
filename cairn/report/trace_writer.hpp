// Chrome's trace format, event by event: {"traceEvents": [...]}. Times are microseconds, with
// picoseconds as six digits after the point. Names of processes and threads come first, then all
// else by time.
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

// The least time that a trace tells apart.
inline constexpr Seconds kTraceTick{1e-12};

// Whether a span is long enough in a trace to have a moment that arrows can be bound to.
inline bool has_inside(Seconds begin, Seconds end) {
  return end - begin > 2.0 * kTraceTick;
}

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

  // A moment within a span, given by its row.
  struct Moment {
    std::size_t process = 0;
    std::size_t thread = 0;
    Seconds at{0.0};
  };

  // An arrow from one span to another.
  void flow(const Moment& from, const Moment& to);

  // Writes all of it.
  void finish();

 private:
  // Of the text of all events.
  struct Event {
    double microseconds = 0.0;  // below 0: names
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void event(double microseconds, const std::string& text);

  std::ostream& out_;
  std::string text_;
  std::vector<Event> events_;
  std::uint64_t flows_ = 0;
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
