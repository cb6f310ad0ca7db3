#include "cairn/explain/exposure.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace cairn::explain {

namespace {

using memory::Action;
using memory::ActionKind;
using memory::Schedule;

// Actions with their times: of the step, or of a repeated pass, counted from its start.
struct Timed {
  std::span<const Action> actions{};
  std::span<const Interval> intervals{};

  // The last of those that end last.
  [[nodiscard]] std::size_t last() const {
    std::size_t last = 0;
    for (std::size_t a = 1; a < intervals.size(); ++a) {
      last = intervals[a].end >= intervals[last].end ? a : last;
    }
    return last;
  }
};

void add(Breakdown& sum, const Breakdown& part) {
  sum.compute += part.compute;
  sum.communication_exposed += part.communication_exposed;
  sum.memory_exposed += part.memory_exposed;
  sum.idle += part.idle;
  sum.issue += part.issue;
  sum.background += part.background;
}

class Exposure {
 public:
  Exposure(const lower::LoweredStep& step,
           const std::vector<Interval>& intervals,
           std::uint32_t stage,
           const comm::Endpoint& endpoint)
      : schedule_(*step.schedule),
        costs_(step.costs),
        step_{schedule_.actions, intervals},
        stage_(stage),
        only_transfers_interfere_(endpoint.executor == comm::Executor::kIdeal) {
    for (std::size_t a = 0; a < schedule_.actions.size(); ++a) {
      if (schedule_.actions[a].moves() && schedule_.actions[a].stage == stage) {
        transfers_.push_back(a);
      }
    }
    for (const lower::PassTimes& pass : step.passes) {
      pass_intervals_.push_back(intervals_of(pass));
    }
    for (std::size_t b = 0; b < step.passes.size(); ++b) {
      passes_.push_back({schedule_.bodies[b].actions, pass_intervals_[b]});
      last_of_pass_.push_back(passes_[b].last());
      if (schedule_.bodies[b].stage == stage) {
        run_kernels(passes_[b]);
      }
      of_pass_.push_back(std::exchange(result_, {}));
    }
  }

  Breakdown run(SimTime end) {
    const SimTime free = run_kernels(step_);
    const auto last = std::ranges::max_element(step_.intervals, {}, &Interval::end);
    const auto last_action = static_cast<std::size_t>(last - step_.intervals.begin());
    if (end > free) {
      attribute(nullptr, last->end, end);
      attribute(&step_.actions[last_action], std::max(free, last->begin), last->end);
      attribute_gap(step_, last_action, free, last->begin);
    }
    return result_;
  }

 private:
  // Returns the end of the last kernel.
  SimTime run_kernels(const Timed& in) {
    std::vector<std::size_t> kernels;
    for (std::size_t a = 0; a < in.actions.size(); ++a) {
      if (in.actions[a].takes_turn() && in.actions[a].stage == stage_) {
        kernels.push_back(a);
      }
    }
    std::ranges::stable_sort(kernels, {}, [&](std::size_t a) { return in.intervals[a].begin; });
    SimTime free{};
    for (const std::size_t a : kernels) {
      attribute_gap(in, a, free, in.intervals[a].begin);
      if (in.actions[a].kind == ActionKind::kPass) {
        add(result_, of_pass_[in.actions[a].subject]);
      } else {
        add_kernel(in.intervals[a], costs_[in.actions[a].subject].time, free);
      }
      free = std::max(free, in.intervals[a].end);
    }
    return free;
  }

  // Concurrent kernels count from where the others end, at `free`.
  void add_kernel(const Interval& ran, Seconds alone, SimTime free) {
    const Seconds took = ran.end.since(ran.begin);
    const Seconds counts = ran.end.since(std::clamp(free, ran.begin, ran.end));
    // Events are rounded up to the next picosecond; that is not contention.
    constexpr Seconds kRounding(2e-12);
    const Seconds computes = took > alone + kRounding ? counts * (alone / took) : counts;
    result_.compute += computes;
    slowed_by(ran) += counts - computes;
  }

  // The exposed time that a kernel's slowdown counts as: memory if a transfer ran meanwhile.
  Seconds& slowed_by(const Interval& kernel) {
    const auto meanwhile = [&](std::size_t transfer) {
      const Interval& ran = step_.intervals[transfer];
      return ran.begin < kernel.end && kernel.begin < ran.end;
    };
    return only_transfers_interfere_ || std::ranges::any_of(transfers_, meanwhile)
               ? result_.memory_exposed
               : result_.communication_exposed;
  }

  // Attributes the gap [from, to] before `waiting`.
  void attribute_gap(const Timed& in, std::size_t waiting, SimTime from, SimTime to) {
    while (to > from) {
      const std::optional<std::size_t> before = last_to_end(in, in.actions[waiting]);
      const SimTime ready = before ? std::clamp(in.intervals[*before].end, from, to) : from;
      attribute(&in.actions[waiting], ready, to);
      if (schedule_.launch.issue > Seconds(0.0) && in.actions[waiting].computes() && to > ready) {
        result_.issue += to.since(ready);  // its inputs were ready
      }
      if (!before || ready <= from) {
        return;
      }
      to = std::max(from, in.intervals[*before].begin);
      attribute_run(in, *before, to, ready);
      waiting = *before;
    }
  }

  // Attributes the last part of an action's time: that of a pass to what its kernels waited for.
  void attribute_run(const Timed& in, std::size_t action, SimTime from, SimTime to) {
    if (in.actions[action].kind != ActionKind::kPass) {
      return attribute(&in.actions[action], from, to);
    }
    const Timed& pass = passes_[in.actions[action].subject];
    const SimTime start = in.intervals[action].begin;
    const std::size_t last = last_of_pass_[in.actions[action].subject];
    const SimTime begin = std::max(pass.intervals[last].begin, relative(from, start));
    attribute(&pass.actions[last], begin, relative(to, start));
    attribute_gap(pass, last, relative(from, start), begin);
  }

  static std::optional<std::size_t> last_to_end(const Timed& in, const Action& action) {
    std::optional<std::size_t> last;
    for (const Id<Action> before : action.after) {
      if (!last || in.intervals[before.index()].end >= in.intervals[*last].end) {
        last = before.index();
      }
    }
    return last;
  }

  void attribute(const Action* why, SimTime from, SimTime to) {
    if (to <= from) {
      return;
    }
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
  Timed step_;
  std::uint32_t stage_;
  bool only_transfers_interfere_;  // collectives take no device resources
  std::vector<std::size_t> transfers_;
  std::vector<std::vector<Interval>> pass_intervals_;  // by body
  std::vector<Timed> passes_;                          // by body
  std::vector<std::size_t> last_of_pass_;              // by body: its last action
  std::vector<Breakdown> of_pass_;                     // by body; empty for other stages
  Breakdown result_;
};

}  // namespace

Breakdown exposure(const lower::LoweredStep& step,
                   const std::vector<Interval>& intervals,
                   std::uint32_t stage,
                   const comm::Endpoint& endpoint,
                   SimTime end) {
  return Exposure(step, intervals, stage, endpoint).run(end);
}

}  // namespace cairn::explain
