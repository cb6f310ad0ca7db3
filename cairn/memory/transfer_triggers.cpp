#include "cairn/memory/transfer_triggers.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include "cairn/base/must_have.hpp"

namespace cairn::memory {

namespace {

using model::Operator;
using model::Tensor;
using plan::Plan;

constexpr const char* kNeverWritten = "an offloaded tensor was never written";
constexpr const char* kNeverRead = "an offloaded tensor is never read again";

class TriggerFinder {
 public:
  TriggerFinder(const Plan& plan,
                const Liveness& live,
                std::span<const Residency> residency,
                const LayerGroups& groups,
                const Policy& policy)
      : plan_(plan), live_(live), residency_(residency), groups_(groups), policy_(policy) {
    result_.recomputed_before.resize(plan.tasks.size());
    result_.offloads.resize(plan.tasks.size());
    result_.prefetches.resize(plan.tasks.size());
    result_.freed.resize(plan.tasks.size());
    last_.resize(residency.size());
    need_.resize(residency.size());
  }

  TransferTriggers run() {
    find_first_needs();
    find_transfers();
    find_freed();
    return std::move(result_);
  }

 private:
  // The first backward step that needs a storage and the last step, also to recompute another.
  void find_first_needs() {
    for (std::size_t s = 0; s < residency_.size(); ++s) {
      need_[s] = live_.storage[s].first_backward;
      last_[s] = live_.storage[s].last;
    }
    for (std::size_t s = 0; s < residency_.size(); ++s) {
      if (residency_[s] != Residency::kRecomputed) {
        continue;
      }
      const std::size_t when = must_have(live_.storage[s].first_backward, kNeverRead);
      result_.recomputed_before[when].push_back(s);
      for (const std::size_t writer : live_.storage[s].forward_writers) {
        for (const Id<Tensor> input : operator_of(plan_, plan_.tasks[writer])->inputs) {
          const std::size_t storage = plan_.graph.tensor(input).storage.index();
          need_[storage] = std::min(need_[storage].value_or(when), when);
          last_[storage] = std::max(last_[storage], when);
        }
      }
    }
  }

  // A storage is offloaded after its last use in the forward pass, and may be prefetched `window`
  // groups before the one that needs it, but not before the stage's backward pass begins.
  void find_transfers() {
    std::map<std::pair<std::size_t, std::uint32_t>, std::vector<std::size_t>> by_need;
    for (std::size_t s = 0; s < residency_.size(); ++s) {
      if (residency_[s] == Residency::kOffloaded) {
        const std::size_t last_use = must_have(live_.storage[s].last_forward, kNeverWritten);
        result_.offloads[last_use].push_back(s);
        by_need[{must_have(need_[s], kNeverRead), live_.storage[s].stage}].push_back(s);
      }
    }
    const std::uint32_t window = policy_.overlap == Overlap::kNone ? 0 : policy_.window;
    for (const auto& [when, storages] : by_need) {
      const auto [need, stage] = when;
      const std::uint32_t group = groups_.at(stage, need);
      std::size_t trigger = end_of_forward_before(need, stage);
      if (group > window) {
        trigger = std::max(trigger, groups_.last_kernel[stage][group - window - 1]);
      }
      trigger = policy_.overlap == Overlap::kNone ? need - 1 : std::min(trigger, need - 1);
      // Last offloaded, first prefetched.
      for (const std::size_t storage : std::views::reverse(by_offload(storages))) {
        const std::size_t offloaded = live_.storage[storage].last_forward.value_or(trigger);
        result_.prefetches[std::max(trigger, offloaded)].push_back(storage);
      }
    }
  }

  void find_freed() {
    for (std::size_t s = 0; s < residency_.size(); ++s) {
      const StorageUse& use = live_.storage[s];
      if (!use.first || (use.cross_step && !use.from_outside)) {
        continue;  // never used, or read in the next training step
      }
      if (residency_[s] == Residency::kRecomputed) {
        result_.freed[must_have(use.last_forward, kNeverWritten)].push_back(s);
      }
      result_.freed[last_[s]].push_back(s);
    }
  }

  [[nodiscard]] std::vector<std::size_t> by_offload(std::vector<std::size_t> storages) const {
    std::ranges::stable_sort(
        storages, {}, [&](std::size_t storage) { return live_.storage[storage].last_forward; });
    return storages;
  }

  [[nodiscard]] std::size_t end_of_forward_before(std::size_t step, std::uint32_t stage) const {
    while (step > 0 && (is_backward(plan_, plan_.tasks[step - 1]) ||
                        stage_of(plan_, plan_.tasks[step - 1]) != stage)) {
      --step;
    }
    return step == 0 ? 0 : step - 1;
  }

  const Plan& plan_;
  const Liveness& live_;
  std::span<const Residency> residency_;
  const LayerGroups& groups_;
  const Policy& policy_;
  std::vector<std::optional<std::size_t>> need_;  // by storage
  std::vector<std::size_t> last_;                 // by storage
  TransferTriggers result_;
};

}  // namespace

std::uint32_t LayerGroups::at(std::uint32_t stage, std::size_t step) const {
  const std::vector<std::size_t>& first = first_kernel[stage];
  const auto after = std::ranges::upper_bound(first, step);
  return after == first.begin() ? 0 : static_cast<std::uint32_t>(after - first.begin() - 1);
}

LayerGroups layer_groups(const Plan& plan) {
  const std::uint32_t stages = plan.mesh.stages();
  LayerGroups groups{.first_kernel = std::vector<std::vector<std::size_t>>(stages),
                     .last_kernel = std::vector<std::vector<std::size_t>>(stages)};
  std::vector<std::pair<std::uint32_t, bool>> before(stages);
  for (std::size_t s = 0; s < plan.tasks.size(); ++s) {
    if (const Operator* op = operator_of(plan, plan.tasks[s]); op != nullptr && !op->background) {
      const std::uint32_t stage = stage_of(plan, plan.tasks[s]);
      const std::pair here(op->layer, !op->in_backward_pass());
      if (groups.last_kernel[stage].empty() || before[stage] != here) {
        groups.first_kernel[stage].push_back(s);
        groups.last_kernel[stage].push_back(s);
      }
      before[stage] = here;
      groups.last_kernel[stage].back() = s;
    }
  }
  return groups;
}

TransferTriggers find_transfer_triggers(const Plan& plan,
                                        const Liveness& live,
                                        std::span<const Residency> residency,
                                        const LayerGroups& groups,
                                        const Policy& policy) {
  return TriggerFinder(plan, live, residency, groups, policy).run();
}

}  // namespace cairn::memory
