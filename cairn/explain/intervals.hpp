// When actions ran.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cairn/lower/step.hpp"
#include "cairn/sim/timeline.hpp"

namespace cairn::explain {

struct Interval {
  SimTime begin = SimTime::never();
  SimTime end{};
};

// The same time, counted from `start`, and the other way round.
constexpr SimTime relative(SimTime time, SimTime start) {
  return SimTime::from_picoseconds(time.picoseconds() - start.picoseconds());
}

constexpr SimTime absolute(SimTime time, SimTime start) {
  return SimTime::from_picoseconds(time.picoseconds() + start.picoseconds());
}

// When each action ran on the devices of a class, from its first task to its last; actions of other
// stages on all their devices together.
class IntervalsByClass {
 public:
  // Both must outlive this.
  IntervalsByClass(const lower::LoweredStep& step, const sim::Timeline& timeline);

  // By action. Classes that are alone in their stage share a list.
  [[nodiscard]] std::shared_ptr<const std::vector<Interval>> of(std::uint32_t device_class);

 private:
  [[nodiscard]] std::vector<Interval> collect(std::optional<std::uint32_t> device_class) const;

  const lower::LoweredStep& step_;
  const sim::Timeline& timeline_;
  std::vector<std::uint32_t> classes_of_stage_;  // their number
  std::shared_ptr<const std::vector<Interval>> together_;
};

// When each action of a repeated pass runs, counted from the start of the pass.
std::vector<Interval> intervals_of(const lower::PassTimes& pass);

}  // namespace cairn::explain
