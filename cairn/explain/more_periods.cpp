#include "cairn/explain/more_periods.hpp"

#include <algorithm>
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
    const auto same = std::ranges::find_if(fewer, [&](const ResourceUse& use) {
      return use.name == more.name && use.kind == more.kind;
    });
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

// Samples of all micro-batches are in memory until they are used. A peak at one time grows with
// them, and no other time has more of them.
bool same_decisions(const StepResult& a, const StepResult& b) {
  return a.breakdown_stage == b.breakdown_stage && a.memory_class == b.memory_class &&
         a.peak_at == b.peak_at && (a.peak_memory == b.peak_memory || a.peak_time == b.peak_time);
}

}  // namespace

std::optional<StepResult> after_periods(const StepResult& fewer,
                                        const StepResult& more,
                                        double periods) {
  if (!same_decisions(fewer, more) || !same_collectives(fewer, more) || more.background) {
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
  std::ranges::stable_sort(result.resources, std::greater<>(), &ResourceUse::utilization);
  for (std::size_t c = 0; c < result.collectives.size(); ++c) {
    const double times = result.collectives[c].times - fewer.collectives[c].times;
    result.collectives[c].times += static_cast<std::uint32_t>(times * periods);
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
