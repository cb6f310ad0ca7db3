// Writes Chrome trace format, {"traceEvents": [...]}. Times are in microseconds with six decimals
// (picoseconds). Names of processes and threads come first, then events sorted by time.
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

// A JSON string: quoted and escaped.
std::string json_quoted(const std::string& text);

// Time resolution of a trace.
inline constexpr Seconds kTraceTick{1e-12};

// Whether a span is long enough for flow arrows to attach within it.
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

  // The value holds from `at` until the next counter event of the same name.
  void counter(std::size_t process,
               const std::string& name,
               const std::string& unit,
               Seconds at,
               double value);

  // A time within a span, which is identified by its row.
  struct Moment {
    std::size_t process = 0;
    std::size_t thread = 0;
    Seconds at{0.0};
  };

  // An arrow from one span to another.
  void flow(const Moment& from, const Moment& to);

  // Writes the file.
  void finish();

 private:
  // A range of `text_`.
  struct Event {
    double microseconds = 0.0;  // negative: names
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void event(double microseconds, const std::string& text);

  std::ostream& out_;
  std::string text_;
  std::vector<Event> events_;
  std::uint64_t flows_ = 0;
};

// Assigns each span, in order of begin time, the lowest row that is free.
class TraceRows {
 public:
  std::uint32_t place(Seconds begin, Seconds end);

 private:
  template <class T>
  using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<>>;

  MinHeap<std::pair<Seconds, std::uint32_t>> busy_;
  MinHeap<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

}  // namespace cairn::report
