#include "cairn/explain/exposure.hpp"

#include <algorithm>
#include <optional>

namespace cairn::explain {

namespace {

using memory::Action;
using memory::ActionKind;
using memory::Schedule;

class Exposure {
 public:
  Exposure(const Schedule& schedule,
           std::span<const kernel::Cost> costs,
           const std::vector<Interval>& intervals,
           std::uint32_t stage,
           const comm::Endpoint& endpoint)
      : schedule_(schedule),
        costs_(costs),
        intervals_(intervals),
        stage_(stage),
        only_transfers_interfere_(endpoint.executor == comm::Executor::kIdeal) {
    for (std::size_t a = 0; a < schedule.actions.size(); ++a) {
      if (schedule.actions[a].moves() && schedule.actions[a].stage == stage) {
        transfers_.push_back(a);
      }
    }
  }

  Breakdown run(SimTime end) {
    std::vector<std::size_t> kernels;
    for (std::size_t a = 0; a < schedule_.actions.size(); ++a) {
      if (schedule_.actions[a].computes() && schedule_.actions[a].stage == stage_) {
        kernels.push_back(a);
      }
    }
    std::ranges::stable_sort(kernels, {}, [&](std::size_t a) { return intervals_[a].begin; });
    SimTime free{};
    for (const std::size_t a : kernels) {
      const Interval& ran = intervals_[a];
      attribute_gap(a, free, ran.begin);
      // Concurrent kernels count from where the others end.
      const Seconds took = ran.end.since(ran.begin);
      const Seconds counts = ran.end.since(std::clamp(free, ran.begin, ran.end));
      const Seconds alone = costs_[schedule_.actions[a].subject].time;
      // Events are rounded up to the next picosecond; that is not contention.
      constexpr Seconds kRounding(2e-12);
      const Seconds computes = took > alone + kRounding ? counts * (alone / took) : counts;
      result_.compute += computes;
      slowed_by(ran) += counts - computes;
      free = std::max(free, ran.end);
    }
    const auto last = std::ranges::max_element(intervals_, {}, &Interval::end);
    const auto last_action = static_cast<std::size_t>(last - intervals_.begin());
    if (end > free) {
      attribute(std::nullopt, last->end, end);
      attribute(last_action, std::max(free, last->begin), last->end);
      attribute_gap(last_action, free, last->begin);
    }
    return result_;
  }

 private:
  // The exposed time that a kernel's slowdown counts as: memory if a transfer ran meanwhile.
  Seconds& slowed_by(const Interval& kernel) {
    const auto meanwhile = [&](std::size_t transfer) {
      return intervals_[transfer].begin < kernel.end && kernel.begin < intervals_[transfer].end;
    };
    return only_transfers_interfere_ || std::ranges::any_of(transfers_, meanwhile)
               ? result_.memory_exposed
               : result_.communication_exposed;
  }

  // Attributes the gap [from, to] before `waiting`.
  void attribute_gap(std::size_t waiting, SimTime from, SimTime to) {
    while (to > from) {
      const std::optional<std::size_t> before = last_to_end(schedule_.actions[waiting]);
      const SimTime ready = before ? std::clamp(intervals_[*before].end, from, to) : from;
      attribute(waiting, ready, to);
      if (schedule_.launch.issue > Seconds(0.0) && schedule_.actions[waiting].computes() &&
          to > ready) {
        result_.issue += to.since(ready);  // its inputs were ready
      }
      if (!before || ready <= from) {
        return;
      }
      to = std::max(from, intervals_[*before].begin);
      attribute(before, to, ready);
      waiting = *before;
    }
  }

  [[nodiscard]] std::optional<std::size_t> last_to_end(const Action& action) const {
    std::optional<std::size_t> last;
    for (const Id<Action> before : action.after) {
      if (!last || intervals_[before.index()].end >= intervals_[*last].end) {
        last = before.index();
      }
    }
    return last;
  }

  void attribute(std::optional<std::size_t> action, SimTime from, SimTime to) {
    if (to <= from) {
      return;
    }
    const Action* why = action ? &schedule_.actions[*action] : nullptr;
    if (why != nullptr && why->kind == ActionKind::kBackground) {
      result_.background += to.since(from);
    }
    if (why != nullptr && why->kind == ActionKind::kExchange) {
      result_.communication_exposed += to.since(from);
    } else if (why != nullptr && why->moves()) {
      result_.memory_exposed += to.since(from);
    } else {
      result_.idle += to.since(from);
    }
  }

  const Schedule& schedule_;
  std::span<const kernel::Cost> costs_;
  const std::vector<Interval>& intervals_;
  std::uint32_t stage_;
  bool only_transfers_interfere_;  // collectives take no device resources
  std::vector<std::size_t> transfers_;
  Breakdown result_;
};

}  // namespace

std::vector<Interval> intervals_of(const lower::LoweredStep& step,
                                   const sim::Timeline& timeline,
                                   std::uint32_t device_class) {
  const Schedule& schedule = *step.schedule;
  std::vector<Interval> intervals(schedule.actions.size());
  const std::uint32_t stage = step.machine.devices[device_class].stage;
  for (std::size_t t = 0; t < timeline.tasks.size(); ++t) {
    const lower::Origin& origin = step.program.origin[t];
    const Action& action = schedule.actions[origin.action.index()];
    if (origin.issue) {
      continue;
    }
    if (origin.device_class != device_class && action.stage == stage &&
        action.kind != ActionKind::kExchange) {
      continue;
    }
    Interval& interval = intervals[origin.action.index()];
    interval.begin = std::min(interval.begin, timeline.tasks[t].started);
    interval.end = std::max(interval.end, timeline.tasks[t].finished);
  }
  return intervals;
}

Breakdown exposure(const lower::LoweredStep& step,
                   const std::vector<Interval>& intervals,
                   std::uint32_t stage,
                   const comm::Endpoint& endpoint,
                   SimTime end) {
  return Exposure(*step.schedule, step.costs, intervals, stage, endpoint).run(end);
}

}  // namespace cairn::explain
