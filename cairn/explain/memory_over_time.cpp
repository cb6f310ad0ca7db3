#include "cairn/explain/memory_over_time.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::explain {

namespace {

using memory::ActionKind;
using memory::ChangeAt;
using Changes = std::vector<std::pair<SimTime, double>>;  // bytes more than before

Changes in_order(Changes changes) {
  std::ranges::stable_sort(changes, {}, &Changes::value_type::first);
  return changes;
}

// Those of a repeated pass, counted from its start.
Changes changes_of(const memory::PassBody& body, const lower::PassTimes& pass) {
  Changes changes;
  for (const memory::MemoryChange& change : body.memory) {
    SimTime at{};
    for (const std::uint32_t action : change.actions) {
      at = change.at == ChangeAt::kBegin ? pass.actions[action].started
                                         : std::max(at, pass.actions[action].finished);
    }
    changes.emplace_back(at, change.bytes.si());
  }
  return in_order(std::move(changes));
}

// Those of live ranges outside repeated passes.
Changes changes_outside(const memory::Schedule& schedule,
                        const std::vector<Interval>& intervals,
                        std::uint32_t stage) {
  Changes changes;
  for (const memory::LiveRange& range : schedule.live_ranges) {
    if (range.stage != stage) {
      continue;
    }
    const SimTime from = range.from ? intervals[range.from->index()].begin : SimTime{};
    changes.emplace_back(from, range.bytes.si());
    SimTime until{};
    for (const Id<memory::Action> last : range.until) {
      until = std::max(until, intervals[last.index()].end);
    }
    if (!range.until.empty()) {
      changes.emplace_back(until, -range.bytes.si());
    }
  }
  return in_order(std::move(changes));
}

// Passes of a stage run one after the other.
Changes changes_in_passes(const lower::LoweredStep& step,
                          const std::vector<Interval>& intervals,
                          std::uint32_t stage) {
  const memory::Schedule& schedule = *step.schedule;
  std::vector<Changes> by_body;
  for (std::size_t b = 0; b < schedule.bodies.size(); ++b) {
    by_body.push_back(schedule.bodies[b].stage == stage
                          ? changes_of(schedule.bodies[b], step.passes[b])
                          : Changes{});
  }
  Changes changes;
  for (std::size_t a = 0; a < schedule.actions.size(); ++a) {
    const memory::Action& action = schedule.actions[a];
    if (action.kind == ActionKind::kPass && action.stage == stage) {
      for (const auto& [at, bytes] : by_body[action.subject]) {
        changes.emplace_back(absolute(at, intervals[a].begin), bytes);
      }
    }
  }
  return changes;
}

}  // namespace

std::vector<MemoryPoint> memory_over_time(const lower::LoweredStep& step,
                                          const std::vector<Interval>& intervals,
                                          std::uint32_t stage,
                                          SimTime end) {
  const Changes outside = changes_outside(*step.schedule, intervals, stage);
  const Changes inside = changes_in_passes(step, intervals, stage);
  Changes changes;
  changes.reserve(outside.size() + inside.size() + 1);
  std::ranges::merge(outside,
                     inside,
                     std::back_inserter(changes),
                     {},
                     &Changes::value_type::first,
                     &Changes::value_type::first);
  changes.emplace_back(end, 0.0);
  std::vector<MemoryPoint> points;
  double in_use = 0.0;
  for (auto change = changes.begin(); change != changes.end();) {
    const SimTime at = change->first;
    double total = 0.0;
    for (; change != changes.end() && change->first == at; ++change) {
      total += change->second;
    }
    in_use += total;
    points.push_back({at, Bytes(std::max(in_use, 0.0))});
  }
  return points;
}

}  // namespace cairn::explain
