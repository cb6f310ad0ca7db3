// Simulated time: integer picoseconds since the start of a simulation (int64: 106 days).
#pragma once

#include <compare>
#include <cstdint>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn {

class SimTime {
 public:
  constexpr SimTime() = default;

  static constexpr SimTime from_picoseconds(std::int64_t picoseconds) {
    SimTime t;
    t.picoseconds_ = picoseconds;
    return t;
  }

  static constexpr SimTime never() { return from_picoseconds(INT64_MAX); }

  [[nodiscard]] constexpr std::int64_t picoseconds() const { return picoseconds_; }

  [[nodiscard]] constexpr Seconds since(SimTime earlier) const {
    return Seconds(static_cast<double>(picoseconds_ - earlier.picoseconds_) * 1e-12);
  }

  constexpr auto operator<=>(const SimTime&) const = default;

 private:
  std::int64_t picoseconds_ = 0;
};

// The one bridge from analysis (double seconds) to the event clock: `start` plus `duration`,
// rounded up to the next picosecond. A fraction below 1/1000 ps is arithmetic noise and is dropped,
// so that events meant to coincide do. Durations past the clock's range give SimTime::never(),
// negative ones `start`; NaN is a Bug.
constexpr SimTime after(SimTime start, Seconds duration) {
  const double picoseconds = duration.si() * 1e12 - 1e-3;
  if (!(picoseconds > 0.0)) {
    ensure(duration.si() <= 1e-12, "a duration that is not a number");
    return start;
  }
  if (picoseconds >= 9.2e18 - static_cast<double>(start.picoseconds())) {
    return SimTime::never();
  }
  auto whole = static_cast<std::int64_t>(picoseconds);
  whole += static_cast<double>(whole) < picoseconds ? 1 : 0;
  return SimTime::from_picoseconds(start.picoseconds() + whole);
}

}  // namespace cairn
