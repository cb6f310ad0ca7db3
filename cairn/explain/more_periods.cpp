#include "cairn/explain/more_periods.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace cairn::explain {

namespace {

// Adds to values of `more` what they grow in a number of periods.
class Growth {
 public:
  explicit Growth(double periods) : periods_(periods) {}

  template <class T>
  void add(const T& fewer, T& more) const {
    more = more + (more - fewer) * periods_;
  }

  template <class T>
  void add(const std::optional<T>& fewer, std::optional<T>& more) const {
    if (fewer && more) {
      add(*fewer, *more);
    }
  }

  void add(const Breakdown& fewer, Breakdown& more) const {
    for (auto part : {&Breakdown::compute,
                      &Breakdown::communication,
                      &Breakdown::memory,
                      &Breakdown::communication_exposed,
                      &Breakdown::memory_exposed,
                      &Breakdown::idle,
                      &Breakdown::issue,
                      &Breakdown::background}) {
      add(fewer.*part, more.*part);
    }
  }

  void add(const StepEnergy& fewer, StepEnergy& more) const {
    for (auto part : {&chip::Energy::compute,
                      &chip::Energy::levels,
                      &chip::Energy::memory,
                      &chip::Energy::idle}) {
      add(fewer.devices.*part, more.devices.*part);
    }
    add(fewer.devices.network, more.devices.network);
    add(fewer.rest, more.rest);
  }

  // The mean is over the time of kernels, which grows.
  void add(const ErrorBar& fewer, ErrorBar& more) const {
    if (!fewer.error || !more.error) {
      return;
    }
    Seconds error = *more.error * more.time;
    add(*fewer.error * fewer.time, error);
    add(fewer.time, more.time);
    more.error = error / more.time;
  }

  // Resources of `more` that `fewer` does not use begin to be used in the steady state.
  void add(const std::vector<ResourceUse>& fewer, ResourceUse& more) const {
    const auto same = std::ranges::find(fewer, more.index, &ResourceUse::index);
    add(same == fewer.end() ? Bytes(0.0) : same->traffic, more.traffic);
  }

 private:
  double periods_;
};

bool same_collectives(const StepResult& a, const StepResult& b) {
  return std::ranges::equal(
      a.collectives, b.collectives, [](const CollectiveUse& x, const CollectiveUse& y) {
        return x.op == y.op && x.size == y.size && x.algorithm == y.algorithm &&
               x.protocol == y.protocol;
      });
}

// Whether the class with the highest peak stays the same. Samples of all micro-batches are in
// memory until they are used, so a peak that is always at the same time grows with them; no other
// time has more of them.
bool same_fullest(const StepResult& fewer, const StepResult& more, double periods) {
  const auto later = [&](std::size_t c) {
    const Bytes now = more.peaks[c].in_use;
    return now + (now - fewer.peaks[c].in_use) * periods;
  };
  for (std::size_t c = 0; c < more.peaks.size(); ++c) {
    const bool known =
        fewer.peaks[c].in_use == more.peaks[c].in_use || fewer.peaks[c].at == more.peaks[c].at;
    if (!known || later(c) > later(more.memory_class)) {
      return false;
    }
  }
  return true;
}

bool same_decisions(const StepResult& fewer, const StepResult& more, double periods) {
  return fewer.breakdown_stage == more.breakdown_stage && fewer.memory_class == more.memory_class &&
         fewer.peak_at == more.peak_at && same_fullest(fewer, more, periods);
}

}  // namespace

std::optional<StepResult> after_periods(const StepResult& fewer,
                                        const StepResult& more,
                                        double periods) {
  if (!same_decisions(fewer, more, periods) || !same_collectives(fewer, more) || more.background) {
    return std::nullopt;
  }
  const Growth growth(periods);
  StepResult result = more;
  growth.add(fewer.step_time, result.step_time);
  growth.add(fewer.breakdown, result.breakdown);
  growth.add(fewer.batch, result.batch);
  growth.add(fewer.macs, result.macs);
  result.utilization =
      more.utilization * (result.macs / more.macs) * (more.step_time / result.step_time);
  growth.add(fewer.error_bar, result.error_bar);
  for (auto bytes : {&StepResult::peak_memory,
                     &StepResult::memory_bound,
                     &StepResult::offloaded,
                     &StepResult::moved,
                     &StepResult::recomputed,
                     &StepResult::from_checkpoints,
                     &StepResult::traffic}) {
    growth.add(fewer.*bytes, result.*bytes);
  }
  growth.add(fewer.work_energy, result.work_energy);
  for (ResourceUse& use : result.resources) {
    growth.add(fewer.resources, use);
    use.utilization = use.traffic / use.bandwidth / result.step_time;
  }
  std::ranges::sort(result.resources, {}, &ResourceUse::index);
  std::ranges::stable_sort(result.resources, std::greater<>(), &ResourceUse::utilization);
  for (std::size_t c = 0; c < result.collectives.size(); ++c) {
    const double times = result.collectives[c].times - fewer.collectives[c].times;
    result.collectives[c].times += static_cast<std::uint32_t>(std::llround(times * periods));
  }
  for (std::size_t k = 0; k < result.activities.size(); ++k) {
    growth.add(fewer.activities[k].runs, result.activities[k].runs);
    growth.add(fewer.activities[k].time, result.activities[k].time);
  }
  result.events += fewer.events;
  result.bound = bound_by(result);
  return result;
}

}  // namespace cairn::explain
