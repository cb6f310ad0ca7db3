#include "cairn/explain/deciding_classes.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "cairn/explain/exposure.hpp"
#include "cairn/explain/memory_over_time.hpp"
#include "cairn/explain/step_record.hpp"

namespace cairn::explain {

namespace {

using lower::LoweredStep;
using memory::Action;
using memory::ActionKind;
using memory::Schedule;

// Total time alone of kernels, and the end of the last one.
using Length = std::pair<Seconds, SimTime>;

// Sums that differ by rounding are equal; then the end of the last kernel counts.
bool is_longer(const Length& a, const Length& b) {
  constexpr double kRounding = 1e-9;
  return a.first > b.first * (1.0 + kRounding) ||
         (a.first >= b.first * (1.0 - kRounding) && a.second > b.second);
}

// The kernels and repeated passes of each stage, with the times alone of the latter.
class Turns {
 public:
  explicit Turns(const LoweredStep& step) : step_(step), of_stage_(step.plan->mesh.stages()) {
    const Schedule& schedule = *step.schedule;
    for (const memory::PassBody& body : schedule.bodies) {
      pass_length_.emplace_back(0.0);
      for (const Action& action : body.actions) {
        pass_length_.back() += action.computes() ? step.costs[action.subject].time : Seconds(0.0);
      }
    }
    for (std::uint32_t a = 0; a < schedule.actions.size(); ++a) {
      if (schedule.actions[a].takes_turn()) {
        of_stage_[schedule.actions[a].stage].push_back(a);
      }
    }
  }

  [[nodiscard]] Length length(const std::vector<Interval>& intervals, std::uint32_t stage) const {
    Length length{};
    for (const std::uint32_t a : of_stage_[stage]) {
      const Action& action = step_.schedule->actions[a];
      length.first += action.kind == ActionKind::kPass ? pass_length_[action.subject]
                                                       : step_.costs[action.subject].time;
      length.second = std::max(length.second, intervals[a].end);
    }
    return length;
  }

 private:
  const LoweredStep& step_;
  std::vector<Seconds> pass_length_;                  // by body
  std::vector<std::vector<std::uint32_t>> of_stage_;  // actions
};

// The last of the kernels and passes of a stage that began by `time`.
std::optional<std::size_t> turn_at(std::span<const Action> actions,
                                   std::span<const Interval> intervals,
                                   std::uint32_t stage,
                                   SimTime time) {
  std::optional<std::size_t> last;
  for (std::size_t a = 0; a < actions.size(); ++a) {
    if (actions[a].takes_turn() && actions[a].stage == stage && intervals[a].begin <= time &&
        (!last || intervals[a].begin >= intervals[*last].begin)) {
      last = a;
    }
  }
  return last;
}

// The last kernel of a stage that began by `time`; empty if none.
std::string kernel_at(const LoweredStep& step,
                      const std::vector<Interval>& intervals,
                      std::uint32_t stage,
                      SimTime time) {
  const auto last = turn_at(step.schedule->actions, intervals, stage, time);
  if (!last) {
    return "";
  }
  const Action& action = step.schedule->actions[*last];
  if (action.kind != ActionKind::kPass) {
    return action_name(*step.plan, action);
  }
  const std::vector<Action>& body = step.schedule->bodies[action.subject].actions;
  const auto inside = turn_at(body,
                              intervals_of(step.passes[action.subject]),
                              stage,
                              relative(time, intervals[*last].begin));
  return inside ? action_name(*step.plan, body[*inside]) : "";
}

// Averages the breakdown over `steps`.
void divide(Breakdown& breakdown, double steps) {
  for (Seconds* part : {&breakdown.compute,
                        &breakdown.communication_exposed,
                        &breakdown.memory_exposed,
                        &breakdown.idle,
                        &breakdown.issue,
                        &breakdown.background}) {
    *part = *part / steps;
  }
}

}  // namespace

DecidingClasses deciding_classes(const LoweredStep& step,
                                 const sim::Timeline& timeline,
                                 const comm::Endpoint& endpoint,
                                 bool memory_over_time) {
  const auto& classes = step.machine.devices;
  const Turns turns(step);
  const MemoryOverTime memory(step);
  IntervalsByClass intervals(step, timeline);
  std::uint32_t busiest = 0;
  std::uint32_t fullest = 0;
  Length longest{};
  MemoryPoint peak{};
  std::vector<MemoryPoint> peaks;
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    const auto here = intervals.of(c);
    const Length length = turns.length(*here, classes[c].stage);
    if (is_longer(length, longest)) {
      longest = length;
      busiest = c;
    }
    const MemoryPoint highest = memory.peak(*here, classes[c].stage, timeline.end);
    peaks.push_back(highest);
    if (highest.in_use > peak.in_use) {
      peak = highest;
      fullest = c;
    }
  }
  const std::uint32_t stage = classes[fullest].stage;
  const auto of_fullest = intervals.of(fullest);
  DecidingClasses result{
      .breakdown =
          exposure(step, *intervals.of(busiest), classes[busiest].stage, endpoint, timeline.end),
      .breakdown_stage = classes[busiest].stage,
      .memory_class = fullest,
      .peak = peak,
      .peaks = std::move(peaks),
      .peak_at = kernel_at(step, *of_fullest, stage, peak.at)};
  if (memory_over_time) {
    result.memory = memory.points(*of_fullest, stage, timeline.end);
  }
  divide(result.breakdown, step.schedule->steps());
  return result;
}

}  // namespace cairn::explain
