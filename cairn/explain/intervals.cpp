#include "cairn/explain/intervals.hpp"

#include <algorithm>

namespace cairn::explain {

using memory::Action;
using memory::ActionKind;

IntervalsByClass::IntervalsByClass(const lower::LoweredStep& step, const sim::Timeline& timeline)
    : step_(step), timeline_(timeline), classes_of_stage_(step.plan->mesh.stages(), 0) {
  for (const lower::DeviceClass& device_class : step.machine.devices) {
    ++classes_of_stage_[device_class.stage];
  }
}

std::shared_ptr<const std::vector<Interval>> IntervalsByClass::of(std::uint32_t device_class) {
  using Intervals = const std::vector<Interval>;
  if (classes_of_stage_[step_.machine.devices[device_class].stage] > 1) {
    return std::make_shared<Intervals>(collect(device_class));
  }
  if (together_ == nullptr) {
    together_ = std::make_shared<Intervals>(collect(std::nullopt));
  }
  return together_;
}

// On the devices of a class; nullopt: on those of all classes.
std::vector<Interval> IntervalsByClass::collect(std::optional<std::uint32_t> device_class) const {
  const memory::Schedule& schedule = *step_.schedule;
  std::vector<Interval> intervals(schedule.actions.size());
  for (std::size_t t = 0; t < timeline_.tasks.size(); ++t) {
    const lower::Origin& origin = step_.program.origin[t];
    if (origin.issue) {
      continue;
    }
    if (device_class && origin.device_class != *device_class) {
      const Action& action = schedule.actions[origin.action.index()];
      if (action.stage == step_.machine.devices[*device_class].stage &&
          action.kind != ActionKind::kExchange) {
        continue;
      }
    }
    Interval& interval = intervals[origin.action.index()];
    interval.begin = std::min(interval.begin, timeline_.tasks[t].started);
    interval.end = std::max(interval.end, timeline_.tasks[t].finished);
  }
  return intervals;
}

std::vector<Interval> intervals_of(const lower::PassTimes& pass) {
  std::vector<Interval> intervals;
  for (const sim::TaskTime& ran : pass.actions) {
    intervals.push_back({ran.started, ran.finished});
  }
  return intervals;
}

}  // namespace cairn::explain
