#include "cairn/lower/steady_state.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace cairn::lower {

namespace {

using plan::PassKind;
using plan::StagePass;

constexpr std::uint32_t kAfterAll = std::numeric_limits<std::uint32_t>::max();

// The tasks of each pass, in order. Transfers to a backing store follow or precede the actions that
// trigger them, and belong to their pass.
class TasksByPass {
 public:
  explicit TasksByPass(const SimulatedStep& simulated) : simulated_(simulated) {
    const memory::Schedule& schedule = *simulated.step.schedule;
    const plan::Plan& plan = *simulated.step.plan;
    std::uint32_t pass = 0;
    for (std::uint32_t a = 0; a < schedule.actions.size(); ++a) {
      const memory::Action& action = schedule.actions[a];
      if (action.kind == memory::ActionKind::kKernel ||
          action.kind == memory::ActionKind::kExchange) {
        pass = action.pass;
      }
      std::vector<std::uint32_t>& tasks = tasks_[plan.passes[pass]];
      for (std::uint32_t t = simulated.step.program.first_task[a];
           t < simulated.step.program.end_task[a];
           ++t) {
        tasks.push_back(t);
      }
    }
  }

  [[nodiscard]] const std::map<StagePass, std::vector<std::uint32_t>>& all() const {
    return tasks_;
  }

  // Empty if there is no such pass.
  [[nodiscard]] std::vector<std::uint32_t> of(const StagePass& pass) const {
    const auto found = tasks_.find(pass);
    return found == tasks_.end() ? std::vector<std::uint32_t>{} : found->second;
  }

  [[nodiscard]] const sim::TaskTime& time(std::uint32_t task) const {
    return simulated_.timeline.tasks[task];
  }

 private:
  const SimulatedStep& simulated_;
  std::map<StagePass, std::vector<std::uint32_t>> tasks_{};
};

// What happens in a micro-batch, on all stages; updates count as the last.
struct Extent {
  bool same_times = true;  // as in `more`
  bool same_later = true;  // as in `more` P micro-batches and D later
  SimTime first = SimTime::never();
  SimTime last{};
};

bool same(const TasksByPass& a,
          const std::vector<std::uint32_t>& of_a,
          const TasksByPass& b,
          const std::vector<std::uint32_t>& of_b,
          std::int64_t later) {
  return std::ranges::equal(of_a, of_b, [&](std::uint32_t task, std::uint32_t other) {
    const auto moved = [&](SimTime time) { return time.picoseconds() + later; };
    return moved(a.time(task).started) == b.time(other).started.picoseconds() &&
           moved(a.time(task).finished) == b.time(other).finished.picoseconds();
  });
}

// `added`: micro-batches that `b` has more than `a`.
std::map<std::uint32_t, Extent> extents(const TasksByPass& a,
                                        const TasksByPass& b,
                                        std::uint32_t added,
                                        std::int64_t later) {
  std::map<std::uint32_t, Extent> extents;
  for (const auto& [pass, tasks] : a.all()) {
    const bool updates = pass.kind == PassKind::kUpdate;
    Extent& extent = extents[updates ? kAfterAll : pass.micro_batch];
    StagePass counterpart = pass;
    counterpart.micro_batch += updates ? 0 : added;
    extent.same_times = extent.same_times && same(a, tasks, b, b.of(pass), 0);
    extent.same_later = extent.same_later && same(a, tasks, b, b.of(counterpart), later);
    for (const std::uint32_t task : tasks) {
      extent.first = std::min(extent.first, a.time(task).started);
      extent.last = std::max(extent.last, a.time(task).finished);
    }
  }
  return extents;
}

// When the first of the micro-batches from `known` on begins.
SimTime first_of_others(const TasksByPass& tasks, std::uint32_t known) {
  SimTime first = SimTime::never();
  for (const auto& [pass, of_pass] : tasks.all()) {
    for (const std::uint32_t task : of_pass) {
      if (pass.kind != PassKind::kUpdate && pass.micro_batch >= known) {
        first = std::min(first, tasks.time(task).started);
      }
    }
  }
  return first;
}

}  // namespace

Growth compare(const SimulatedStep& fewer, const SimulatedStep& more) {
  const std::int64_t later = more.timeline.end.picoseconds() - fewer.timeline.end.picoseconds();
  SimTime earliest{};                 // of T: all that is not of the second kind has ended
  SimTime latest = SimTime::never();  // of T + D: all that is not of the first kind starts
  const std::uint32_t known = fewer.step.plan->micro_batches;
  const TasksByPass a(fewer);
  const TasksByPass b(more);
  for (const auto& [micro_batch, extent] :
       extents(a, b, more.step.plan->micro_batches - known, later)) {
    earliest = extent.same_later ? earliest : std::max(earliest, extent.last);
    latest = extent.same_times ? latest : std::min(latest, extent.first);
  }
  latest = std::min(latest, first_of_others(b, known));
  const std::int64_t missing = earliest.picoseconds() + later - latest.picoseconds();
  return {.period = SimTime::from_picoseconds(later),
          .missing = SimTime::from_picoseconds(std::max<std::int64_t>(missing, 0))};
}

}  // namespace cairn::lower
