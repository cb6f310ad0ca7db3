#include "cairn/memory/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/memory/actions.hpp"
#include "cairn/memory/bound.hpp"
#include "cairn/memory/fates.hpp"
#include "cairn/memory/liveness.hpp"
#include "cairn/plan/check_training.hpp"

namespace cairn::memory {

namespace {

using model::Tensor;

std::string describe(const plan::Plan& plan, const Action& action) {
  const model::Operator& op = plan.graph.operators[action.subject];
  return fmt::format("{} ({})", op.name, to_text(op.pass));
}

Bytes peak_of(const MemoryBound& bound) {
  return bound.at.empty() ? Bytes(0.0) : bound.at[bound.peak];
}

class Fitting {
 public:
  Fitting(const Remaking& remaking,
          const Policy& policy,
          const Limits& limits,
          const Dispatch& dispatch)
      : remaking_(remaking), policy_(policy), limits_(limits), dispatch_(dispatch) {}

  // Moves more until the rest fits in every stage: at the peak, what is not needed for longest.
  Schedule run(std::vector<Fate> fates) {
    while (true) {
      check_cancelled();
      Schedule schedule = make_actions(remaking_.plan, remaking_.live, fates, policy_, dispatch_);
      bool moved = false;
      for (std::uint32_t stage = 0; stage < schedule.stages.size(); ++stage) {
        const MemoryBound bound = memory_bound(schedule, stage);
        moved = (peak_of(bound) > limits_.capacity && move_some(fates, schedule, bound)) || moved;
      }
      if (!moved) {
        return schedule;
      }
    }
  }

 private:
  // False if there is nothing left at the peak that could be moved.
  bool move_some(std::vector<Fate>& fates, const Schedule& schedule, const MemoryBound& bound) {
    std::vector<std::pair<std::size_t, std::size_t>> candidates;  // reuse distance, storage
    for (std::size_t l = 0; l < schedule.lives.size(); ++l) {
      const std::size_t storage = schedule.lives[l].storage.index();
      const auto [begin, end] = bound.span[l];
      const StorageUse& use = remaking_.live.storage[storage];
      if (fates[storage] == Fate::kStays && begin <= bound.peak && bound.peak < end &&
          may_move(use, policy_)) {
        candidates.emplace_back(use.reuse_distance(), storage);
      }
    }
    std::ranges::sort(candidates, std::greater<>());
    Bytes excess = peak_of(bound) - limits_.capacity;
    bool moved = false;
    for (const auto& [distance, storage] : candidates) {
      if (excess <= Bytes(0.0)) {
        break;
      }
      const bool remake = policy_.recompute && !feeds_remade(storage, fates) &&
                          worth_remaking(Id<Tensor>(storage), remaking_, fates);
      fates[storage] = remake ? Fate::kRemade : Fate::kMoved;
      excess -= remaking_.live.storage[storage].bytes;
      moved = true;
    }
    return moved;
  }

  // Something that is remade is made from it.
  [[nodiscard]] bool feeds_remade(std::size_t storage, const std::vector<Fate>& fates) const {
    const auto& plan = remaking_.plan;
    for (std::size_t s = 0; s < fates.size(); ++s) {
      if (fates[s] != Fate::kRemade) {
        continue;
      }
      for (const std::size_t writer : remaking_.live.storage[s].forward_writers) {
        for (const Id<Tensor> input : operator_of(plan, plan.steps[writer])->inputs) {
          if (plan.graph.tensor(input).storage.index() == storage && s != storage) {
            return true;
          }
        }
      }
    }
    return false;
  }

  const Remaking& remaking_;
  const Policy& policy_;
  const Limits& limits_;
  const Dispatch& dispatch_;
};

void note_peaks(const plan::Plan& plan, Schedule& schedule) {
  for (std::uint32_t stage = 0; stage < schedule.stages.size(); ++stage) {
    check_cancelled();
    const MemoryBound bound = memory_bound(schedule, stage);
    schedule.stages[stage].peak = peak_of(bound);
    if (!bound.kernels.empty()) {
      schedule.stages[stage].peak_at = describe(plan, schedule.actions[kernel_at_peak(bound)]);
    }
  }
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
    return Infeasible{Lack::kStoredTables,
                      plan.graph.name + " has none that are looked up by rows"};
  }
  if (policy.needs_store() && !has_store) {
    return Infeasible{Lack::kBackingStore,
                      platform +
                          " has neither memory-nodes beside its devices nor a host socket to move "
                          "feature maps or tables to"};
  }
  return std::nullopt;
}

Infeasible too_much(Bytes peak, const std::string& when, Bytes capacity) {
  return {Lack::kDeviceMemory,
          fmt::format("{} are needed at {}, {} more than the {} of a device",
                      to_text(peak),
                      when,
                      to_text(peak - capacity),
                      to_text(capacity)),
          peak / capacity - 1.0};
}

std::optional<Infeasible> does_not_fit(const plan::Plan& plan,
                                       const Schedule& schedule,
                                       const Policy& policy,
                                       const Limits& limits) {
  const bool ignored = policy.capacity == Capacity::kIgnored;
  const StageMemory& most = schedule.fullest();
  for (const Life& life : schedule.lives) {
    if (life.bytes > limits.capacity && !ignored) {
      return Infeasible{Lack::kDeviceMemory,
                        fmt::format("{} alone has {}, {} more than the {} of a device",
                                    plan.graph.tensor(life.storage).name,
                                    to_text(life.bytes),
                                    to_text(life.bytes - limits.capacity),
                                    to_text(limits.capacity)),
                        std::max(most.peak, life.bytes) / limits.capacity - 1.0};
    }
  }
  if (most.peak > limits.capacity && !ignored && schedule.stages.size() == 1 &&
      schedule.dispatch.one_by_one()) {
    return too_much(most.peak, most.peak_at, limits.capacity);
  }
  for (const StageMemory& stage : schedule.stages) {
    if (const Bytes stored = stage.offloaded + stage.tables; stored > limits.store) {
      return Infeasible{Lack::kBackingStore,
                        fmt::format("{} are moved out, {} more than a device's share of {}",
                                    to_text(stored),
                                    to_text(stored - limits.store),
                                    to_text(limits.store)),
                        stored / limits.store - 1.0};
    }
  }
  return std::nullopt;
}

Schedule schedule_on_every_device(const plan::Plan& plan,
                                  const Policy& policy,
                                  const Dispatch& dispatch) {
  if (!policy.same_on_every_device()) {
    throw Bug("a schedule on every device that moves what devices do not hold");
  }
  const Liveness live = liveness(plan);
  const std::vector<Fate> fates(live.storage.size(), Fate::kStays);
  Schedule result = make_actions(plan, live, fates, policy, dispatch);
  note_peaks(plan, result);
  return result;
}

Feasible<Schedule> schedule(const plan::Plan& plan,
                            std::span<const kernel::Cost> costs,
                            const Policy& policy,
                            const Limits& limits,
                            const Dispatch& dispatch) {
  const Liveness live = liveness(plan);
  const Remaking remaking{plan, live, costs, limits.store_bandwidth, policy.compression};
  std::vector<Fate> fates = decide_fates(policy, remaking);
  Schedule result = policy.overlay == Overlay::kWhatDoesNotFit
                        ? Fitting(remaking, policy, limits, dispatch).run(std::move(fates))
                        : make_actions(plan, live, fates, policy, dispatch);
  note_peaks(plan, result);
  if (auto why_not = does_not_fit(plan, result, policy, limits)) {
    return *why_not;
  }
  return result;
}

}  // namespace cairn::memory
