#include "cairn/memory/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/memory/actions.hpp"
#include "cairn/memory/bound.hpp"
#include "cairn/memory/liveness.hpp"
#include "cairn/memory/repeated_passes.hpp"
#include "cairn/memory/residency.hpp"
#include "cairn/plan/check_training.hpp"

namespace cairn::memory {

namespace {

using model::Tensor;

constexpr const char* kNeedsLess =
    " (use a smaller batch, more devices, checkpoints, or memory.offload)";

std::string describe(const plan::Plan& plan, const Action& action) {
  const model::Operator& op = plan.graph.operators[action.subject];
  return fmt::format("{} ({})", op.name, to_text(op.pass));
}

Bytes peak_of(const MemoryBound& bound) {
  return bound.at.empty() ? Bytes(0.0) : bound.at[bound.peak];
}

class CapacityFitter {
 public:
  CapacityFitter(const RecomputeContext& context,
                 const Policy& policy,
                 const Limits& limits,
                 const LaunchPolicy& launch)
      : context_(context), policy_(policy), limits_(limits), launch_(launch) {}

  // Offloads more until every stage fits: at the peak, the storage unused for longest first.
  Schedule run(std::vector<Residency> residency) {
    while (true) {
      check_cancelled();
      Schedule schedule = make_actions(context_.plan, context_.live, residency, policy_, launch_);
      MemoryBounds bounds(schedule);
      bool changed = false;
      for (std::uint32_t stage = 0; stage < schedule.stages.size(); ++stage) {
        const MemoryBound bound = bounds.of(stage);
        changed = (peak_of(bound) > limits_.capacity && offload_some(residency, schedule, bound)) ||
                  changed;
      }
      if (!changed) {
        return schedule;
      }
    }
  }

 private:
  // False if no storage at the peak can be offloaded.
  bool offload_some(std::vector<Residency>& residency,
                    const Schedule& schedule,
                    const MemoryBound& bound) {
    std::vector<std::pair<std::size_t, std::size_t>> candidates;  // reuse distance, storage
    for (const auto& [live_range, begin, end] : bound.spans) {
      const std::size_t storage = schedule.live_ranges[live_range].storage.index();
      const StorageUse& use = context_.live.storage[storage];
      if (residency[storage] == Residency::kKept && begin <= bound.peak && bound.peak < end &&
          may_offload(use, policy_)) {
        candidates.emplace_back(use.reuse_distance(), storage);
      }
    }
    std::ranges::sort(candidates, std::greater<>());
    Bytes excess = peak_of(bound) - limits_.capacity;
    bool changed = false;
    for (const auto& [distance, storage] : candidates) {
      if (excess <= Bytes(0.0)) {
        break;
      }
      const bool recompute = policy_.recompute && !feeds_recomputed(storage, residency) &&
                             worth_recomputing(Id<Tensor>(storage), context_, residency);
      residency[storage] = recompute ? Residency::kRecomputed : Residency::kOffloaded;
      excess -= context_.live.storage[storage].bytes;
      changed = true;
    }
    return changed;
  }

  // Whether another storage is recomputed from it.
  [[nodiscard]] bool feeds_recomputed(std::size_t storage,
                                      const std::vector<Residency>& residency) const {
    const auto& plan = context_.plan;
    for (std::size_t s = 0; s < residency.size(); ++s) {
      if (residency[s] != Residency::kRecomputed) {
        continue;
      }
      for (const std::size_t writer : context_.live.storage[s].forward_writers) {
        for (const Id<Tensor> input : operator_of(plan, plan.tasks[writer])->inputs) {
          if (plan.graph.tensor(input).storage.index() == storage && s != storage) {
            return true;
          }
        }
      }
    }
    return false;
  }

  const RecomputeContext& context_;
  const Policy& policy_;
  const Limits& limits_;
  const LaunchPolicy& launch_;
};

void note_peaks(const plan::Plan& plan, Schedule& schedule) {
  MemoryBounds bounds(schedule);
  for (std::uint32_t stage = 0; stage < schedule.stages.size(); ++stage) {
    check_cancelled();
    const MemoryBound bound = bounds.of(stage);
    schedule.stages[stage].peak = peak_of(bound);
    if (!bound.kernels.empty()) {
      schedule.stages[stage].peak_at = describe(plan, kernel_at_peak(schedule, bound));
    }
  }
}

// The first of the largest.
std::pair<Id<Tensor>, Bytes> largest_storage(const Schedule& schedule) {
  std::pair<Id<Tensor>, Bytes> largest{};
  const auto consider = [&](Id<Tensor> storage, Bytes bytes) {
    if (bytes > largest.second) {
      largest = {storage, bytes};
    }
  };
  for (const LiveRange& range : schedule.live_ranges) {
    consider(range.storage, range.bytes);
  }
  for (const PassBody& body : schedule.bodies) {
    for (const MemoryChange& change : body.memory) {
      consider(change.storage, change.bytes);
    }
  }
  return largest;
}

}  // namespace

const StageMemory& Schedule::fullest() const {
  return *std::ranges::max_element(stages, {}, &StageMemory::peak);
}

std::optional<Infeasible> check_policy(const plan::Plan& plan,
                                       const Policy& policy,
                                       bool has_store,
                                       const std::string& platform) {
  if (policy.tables == TablesIn::kStore && !plan::has_tables(plan.graph)) {
    return Infeasible{Lack::kStoredTables, plan.graph.name + " has no embedding tables"};
  }
  if (policy.needs_store() && !has_store) {
    return Infeasible{Lack::kBackingStore,
                      platform +
                          " has no memory-nodes beside its devices and no host socket to offload "
                          "activations or tables to"};
  }
  return std::nullopt;
}

Infeasible over_capacity(Bytes peak, const std::string& when, Bytes capacity) {
  return {Lack::kDeviceMemory,
          fmt::format("{} needed at {}, {} more than the {} of a device{}",
                      to_text(peak),
                      when,
                      to_text(peak - capacity),
                      to_text(capacity),
                      kNeedsLess),
          peak / capacity - 1.0};
}

std::optional<Infeasible> check_capacity(const plan::Plan& plan,
                                         const Schedule& schedule,
                                         const Policy& policy,
                                         const Limits& limits) {
  const bool ignored = policy.capacity == Capacity::kIgnored;
  const StageMemory& most = schedule.fullest();
  const auto [storage, bytes] = largest_storage(schedule);
  if (bytes > limits.capacity && !ignored) {
    return Infeasible{Lack::kDeviceMemory,
                      fmt::format("tensor {} needs {}, {} more than the {} of a device{}",
                                  plan.graph.tensor(storage).name,
                                  to_text(bytes),
                                  to_text(bytes - limits.capacity),
                                  to_text(limits.capacity),
                                  kNeedsLess),
                      std::max(most.peak, bytes) / limits.capacity - 1.0};
  }
  if (most.peak > limits.capacity && !ignored && schedule.stages.size() == 1 &&
      schedule.launch.one_by_one()) {
    return over_capacity(most.peak, most.peak_at, limits.capacity);
  }
  for (const StageMemory& stage : schedule.stages) {
    if (const Bytes stored = stage.offloaded + stage.tables; stored > limits.store) {
      return Infeasible{Lack::kBackingStore,
                        fmt::format("{} offloaded, {} more than a device's share of {}",
                                    to_text(stored),
                                    to_text(stored - limits.store),
                                    to_text(limits.store)),
                        stored / limits.store - 1.0};
    }
  }
  return std::nullopt;
}

plan::OrNotRepeated<Schedule> schedule_on_every_device(const plan::Plan& plan,
                                                       const Policy& policy,
                                                       const LaunchPolicy& launch) {
  if (!policy.same_on_every_device()) {
    throw Bug("schedule_on_every_device with a policy that depends on the device");
  }
  const Liveness live = liveness(plan);
  const std::vector<Residency> residency(live.storage.size(), Residency::kKept);
  Schedule result = make_actions(plan, live, residency, policy, launch);
  if (plan.repeats()) {
    auto repeated = repeat_passes(plan, result);
    if (!repeated.repeats()) {
      return repeated;
    }
    result = std::move(repeated).value();
  }
  note_peaks(plan, result);
  return result;
}

Feasible<Schedule> schedule(const plan::Plan& plan,
                            std::span<const kernel::Cost> costs,
                            const Policy& policy,
                            const Limits& limits,
                            const LaunchPolicy& launch) {
  const Liveness live = liveness(plan);
  const RecomputeContext context{plan, live, costs, limits.store_bandwidth, policy.compression};
  std::vector<Residency> residency = decide_residency(policy, context);
  Schedule result = policy.offload == Offload::kOnDemand
                        ? CapacityFitter(context, policy, limits, launch).run(std::move(residency))
                        : make_actions(plan, live, residency, policy, launch);
  note_peaks(plan, result);
  if (auto reason = check_capacity(plan, result, policy, limits)) {
    return *reason;
  }
  return result;
}

}  // namespace cairn::memory
