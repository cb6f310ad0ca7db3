#include "cairn/explain/memory_over_time.hpp"

#include <algorithm>

namespace cairn::explain {

using memory::ActionKind;
using memory::ChangeAt;

MemoryOverTime::MemoryOverTime(const lower::LoweredStep& step)
    : schedule_(*step.schedule),
      live_ranges_(step.plan->mesh.stages()),
      passes_(step.plan->mesh.stages()) {
  for (std::size_t b = 0; b < schedule_.bodies.size(); ++b) {
    in_body_.push_back(changes_of(schedule_.bodies[b], step.passes[b]));
  }
  for (std::uint32_t r = 0; r < schedule_.live_ranges.size(); ++r) {
    live_ranges_[schedule_.live_ranges[r].stage].push_back(r);
  }
  for (std::uint32_t a = 0; a < schedule_.actions.size(); ++a) {
    if (schedule_.actions[a].kind == ActionKind::kPass) {
      passes_[schedule_.actions[a].stage].push_back(a);
    }
  }
}

MemoryOverTime::Changes MemoryOverTime::changes_of(const memory::PassBody& body,
                                                   const lower::PassTimes& pass) {
  Changes changes;
  for (const memory::MemoryChange& change : body.memory) {
    SimTime at{};
    for (const std::uint32_t action : change.actions) {
      at = change.at == ChangeAt::kBegin ? pass.actions[action].started
                                         : std::max(at, pass.actions[action].finished);
    }
    changes.emplace_back(at, change.bytes.si());
  }
  std::ranges::stable_sort(changes, {}, &Changes::value_type::first);
  return changes;
}

MemoryOverTime::Changes MemoryOverTime::changes_outside(const std::vector<Interval>& intervals,
                                                        std::uint32_t stage) const {
  Changes changes;
  changes.reserve(2 * live_ranges_[stage].size());
  for (const std::uint32_t r : live_ranges_[stage]) {
    const memory::LiveRange& range = schedule_.live_ranges[r];
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
  std::ranges::stable_sort(changes, {}, &Changes::value_type::first);
  return changes;
}

// Passes of a stage run one after the other.
template <class Visit>
void MemoryOverTime::for_each_point(const std::vector<Interval>& intervals,
                                    std::uint32_t stage,
                                    SimTime end,
                                    Visit visit) const {
  const Changes outside = changes_outside(intervals, stage);
  auto next = outside.begin();
  auto pass = passes_[stage].begin();
  std::size_t place = 0;  // in the changes of `pass`
  const auto skip_finished = [&] {
    for (; pass != passes_[stage].end(); ++pass, place = 0) {
      if (place < in_body_[schedule_.actions[*pass].subject].size()) {
        return;
      }
    }
  };
  double in_use = 0.0;
  SimTime at{};
  while (true) {
    skip_finished();
    const bool in_pass = pass != passes_[stage].end();
    if (!in_pass && next == outside.end()) {
      break;
    }
    const auto time_in_pass = [&] {
      return absolute(in_body_[schedule_.actions[*pass].subject][place].first,
                      intervals[*pass].begin);
    };
    at = std::min(next == outside.end() ? SimTime::never() : next->first,
                  in_pass ? time_in_pass() : SimTime::never());
    double change = 0.0;
    for (; next != outside.end() && next->first == at; ++next) {
      change += next->second;
    }
    for (; pass != passes_[stage].end() && time_in_pass() == at; skip_finished()) {
      change += in_body_[schedule_.actions[*pass].subject][place++].second;
    }
    in_use += change;
    visit(MemoryPoint{at, Bytes(std::max(in_use, 0.0))});
  }
  if (at < end) {
    visit(MemoryPoint{end, Bytes(std::max(in_use, 0.0))});
  }
}

std::vector<MemoryPoint> MemoryOverTime::points(const std::vector<Interval>& intervals,
                                                std::uint32_t stage,
                                                SimTime end) const {
  std::vector<MemoryPoint> points;
  for_each_point(intervals, stage, end, [&](const MemoryPoint& point) { points.push_back(point); });
  return points;
}

MemoryPoint MemoryOverTime::peak(const std::vector<Interval>& intervals,
                                 std::uint32_t stage,
                                 SimTime end) const {
  MemoryPoint peak{};
  for_each_point(intervals, stage, end, [&](const MemoryPoint& point) {
    if (point.in_use > peak.in_use) {
      peak = point;
    }
  });
  return peak;
}

}  // namespace cairn::explain
