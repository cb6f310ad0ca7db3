#include "cairn/memory/actions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cairn/base/must_have.hpp"

namespace cairn::memory {

namespace {

using model::Operator;
using model::OperatorKind;
using model::Pass;
using model::Tensor;
using model::TensorKind;
using plan::Exchange;
using plan::Plan;

constexpr const char* kNeverNeeded = "what leaves is never needed again";

class ActionList {
 public:
  ActionList(const Plan& plan,
             const Liveness& live,
             const std::vector<Fate>& fates,
             const Policy& policy)
      : plan_(plan), live_(live), fates_(fates), policy_(policy), state_(fates.size()) {
    number_groups();
    find_first_needs();
    find_triggers();
  }

  Schedule run() {
    begin_lives_from_outside();
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      for (const std::size_t storage : remade_before_[step]) {
        remake(storage, step);
      }
      add_step(step);
      for (const std::size_t storage : offloads_[step]) {
        offload(storage, step);
      }
      for (const std::size_t storage : prefetches_[step]) {
        prefetch(storage);
      }
      end_lives(step);
    }
    return std::move(result_);
  }

 private:
  // Who wrote and read a storage last.
  struct State {
    std::vector<Id<Action>> writers{};
    std::vector<Id<Action>> readers{};
    std::optional<std::size_t> life{};  // in result_.lives
    std::optional<Id<Action>> offload{};
  };

  // Kernels of one layer in one pass, in a row, form a group.
  void number_groups() {
    group_.resize(plan_.steps.size(), 0);
    std::uint32_t group = 0;
    std::optional<std::pair<std::uint32_t, bool>> before;
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      if (const Operator* op = operator_of(plan_, plan_.steps[s])) {
        const std::pair here(op->layer, op->pass == Pass::kForward);
        group += before && *before != here ? 1U : 0U;
        before = here;
        last_of_group_.resize(group + 1);
        last_of_group_[group] = s;
      }
      group_[s] = group;
    }
    remade_before_.resize(plan_.steps.size());
    offloads_.resize(plan_.steps.size());
    prefetches_.resize(plan_.steps.size());
    offloads_of_group_.resize(last_of_group_.size());
  }

  // The first backward step that needs a storage, be it to remake another.
  void find_first_needs() {
    need_.resize(fates_.size());
    last_.resize(fates_.size());
    for (std::size_t s = 0; s < fates_.size(); ++s) {
      need_[s] = live_.storage[s].first_backward;
      last_[s] = live_.storage[s].last;
    }
    for (std::size_t s = 0; s < fates_.size(); ++s) {
      if (fates_[s] != Fate::kRemade) {
        continue;
      }
      const std::size_t when = must_have(live_.storage[s].first_backward, kNeverNeeded);
      remade_before_[when].push_back(s);
      for (const std::size_t writer : live_.storage[s].forward_writers) {
        for (const Id<Tensor> input : operator_of(plan_, plan_.steps[writer])->inputs) {
          auto& need = need_[storage_of(input)];
          need = std::min(need.value_or(when), when);
          last_[storage_of(input)] = std::max(last_[storage_of(input)], when);
        }
      }
    }
  }

  // After which step a moved storage leaves, and after which it may come back: `window` groups
  // before the one that needs it.
  void find_triggers() {
    std::map<std::size_t, std::vector<std::size_t>> by_need;
    for (std::size_t s = 0; s < fates_.size(); ++s) {
      if (fates_[s] == Fate::kMoved) {
        offloads_[must_have(live_.storage[s].last_forward, "what is moved was never made")]
            .push_back(s);
        by_need[must_have(need_[s], kNeverNeeded)].push_back(s);
      }
    }
    const std::uint32_t window = policy_.overlap == Overlap::kNone ? 0 : policy_.window;
    const std::size_t end_of_forward = live_.backward - 1;
    for (const auto& [need, storages] : by_need) {
      const std::uint32_t group = group_[need];
      std::size_t trigger = end_of_forward;
      if (group > window) {
        trigger = std::max(trigger, last_of_group_[group - window - 1]);
      }
      trigger = policy_.overlap == Overlap::kNone ? need - 1 : std::min(trigger, need - 1);
      for (const std::size_t storage : storages) {
        prefetches_[trigger].push_back(storage);
      }
    }
  }

  void add_step(std::size_t step) {
    const Operator* op = operator_of(plan_, plan_.steps[step]);
    Action action;
    if (op != nullptr) {
      action = {.kind = ActionKind::kKernel,
                .subject = std::get<Id<Operator>>(plan_.steps[step]).value,
                .layer = op->layer};
      wait_as_kernel(action, step);
    } else {
      const Id<Exchange> exchange = std::get<Id<Exchange>>(plan_.steps[step]);
      action = {.kind = ActionKind::kExchange,
                .subject = exchange.value,
                .layer = plan_.exchanges[exchange.index()].layer};
      wait_for(action, last_exchange_);
    }
    const Id<Action> id = add(
        std::move(action), reads_of(plan_, plan_.steps[step]), writes_of(plan_, plan_.steps[step]));
    if (op != nullptr) {
      last_kernel_ = id;
    } else {
      last_exchange_ = id;
      if (plan_.exchanges[std::get<Id<Exchange>>(plan_.steps[step]).index()].blocking) {
        blocking_.push_back(id);
      }
    }
  }

  // Kernels run one after the other, and wait for the transfers they are synchronized with.
  void wait_as_kernel(Action& action, std::size_t step) {
    wait_for(action, last_kernel_);
    for (const Id<Action> id : std::exchange(blocking_, {})) {
      action.after.push_back(id);
    }
    if (policy_.overlap == Overlap::kFree) {
      return;
    }
    // Offloads that began after a kernel of group g overlap with group g + 1, not beyond.
    const std::uint32_t patience = policy_.overlap == Overlap::kLayer ? 2 : 0;
    while (synchronized_ < offloads_of_group_.size() && synchronized_ + patience <= group_[step]) {
      auto& pending = offloads_of_group_[synchronized_];
      action.after.insert(action.after.end(), pending.begin(), pending.end());
      pending.clear();
      if (synchronized_ == group_[step]) {
        break;
      }
      ++synchronized_;
    }
  }

  void remake(std::size_t storage, std::size_t step) {
    const Operator* reader = operator_of(plan_, plan_.steps[step]);
    for (const std::size_t writer : live_.storage[storage].forward_writers) {
      const Id<Operator> op = std::get<Id<Operator>>(plan_.steps[writer]);
      Action action{.kind = ActionKind::kRecompute,
                    .subject = op.value,
                    .layer = reader == nullptr ? 0 : reader->layer};
      wait_as_kernel(action, step);
      std::vector<Id<Tensor>> writes;
      for (const Id<Tensor> output : plan_.graph.operators[op.index()].outputs) {
        if (storage_of(output) == storage) {
          writes.push_back(output);
        }
      }
      last_kernel_ = add(std::move(action), plan_.graph.operators[op.index()].inputs, writes);
    }
    result_.recomputed += live_.storage[storage].bytes;
  }

  void offload(std::size_t storage, std::size_t step) {
    const Bytes bytes = moved_bytes(storage);
    Action action{.kind = ActionKind::kOffload,
                  .subject = static_cast<std::uint32_t>(storage),
                  .layer = result_.actions.back().layer,
                  .bytes = bytes};
    const Id<Action> id = add(std::move(action), {Id<Tensor>(storage)}, {});
    state_[storage].offload = id;
    offloads_of_group_[group_[step]].push_back(id);
    result_.offloaded += live_.storage[storage].bytes;
    result_.moved += bytes;
    end_life(storage);
  }

  void prefetch(std::size_t storage) {
    Action action{.kind = ActionKind::kPrefetch,
                  .subject = static_cast<std::uint32_t>(storage),
                  .layer = result_.actions.back().layer,
                  .bytes = moved_bytes(storage)};
    wait_for(action, state_[storage].offload);
    wait_for(action, last_kernel_);
    add(std::move(action), {}, {Id<Tensor>(storage)});
  }

  [[nodiscard]] Bytes moved_bytes(std::size_t storage) const {
    return memory::moved_bytes(plan_, live_.storage[storage], policy_.compression);
  }

  // Waits for whoever wrote what it reads, and for whoever reads or wrote what it writes.
  Id<Action> add(Action action,
                 const std::vector<Id<Tensor>>& reads,
                 const std::vector<Id<Tensor>>& writes) {
    const Id<Action> id(result_.actions.size());
    for (const Id<Tensor> tensor : reads) {
      const State& state = state_[storage_of(tensor)];
      action.after.insert(action.after.end(), state.writers.begin(), state.writers.end());
    }
    for (const Id<Tensor> tensor : writes) {
      const State& state = state_[storage_of(tensor)];
      action.after.insert(action.after.end(), state.writers.begin(), state.writers.end());
      action.after.insert(action.after.end(), state.readers.begin(), state.readers.end());
    }
    std::ranges::sort(action.after);
    const auto repeated = std::ranges::unique(action.after);
    action.after.erase(repeated.begin(), repeated.end());
    std::erase(action.after, id);
    for (const Id<Tensor> tensor : reads) {
      const std::size_t storage = storage_of(tensor);
      state_[storage].readers.push_back(id);
      if (live_.storage[storage].from_outside &&
          live_.storage[storage].kind == TensorKind::kGradient) {
        begin_life(storage, id);  // of the loss
      }
    }
    for (const Id<Tensor> tensor : writes) {
      State& state = state_[storage_of(tensor)];
      state.writers = {id};
      state.readers.clear();
      begin_life(storage_of(tensor), id);
    }
    result_.actions.push_back(std::move(action));
    return id;
  }

  static void wait_for(Action& action, const std::optional<Id<Action>>& other) {
    if (other) {
      action.after.push_back(*other);
    }
  }

  [[nodiscard]] std::size_t storage_of(Id<Tensor> tensor) const {
    return plan_.graph.tensor(tensor).storage.index();
  }

  [[nodiscard]] static bool always_there(TensorKind kind) {
    return kind == TensorKind::kWeight || kind == TensorKind::kWeightGradient;
  }

  void begin_lives_from_outside() {
    for (std::size_t s = 0; s < live_.storage.size(); ++s) {
      const StorageUse& use = live_.storage[s];
      if (!use.first) {
        continue;
      }
      if (always_there(use.kind)) {
        result_.weights += use.bytes;
        result_.lives.push_back({.storage = Id<Tensor>(s), .bytes = use.bytes});
      } else if (use.from_outside && use.kind != TensorKind::kGradient) {
        state_[s].life = result_.lives.size();
        result_.lives.push_back({.storage = Id<Tensor>(s), .bytes = use.bytes});
      }
    }
  }

  void begin_life(std::size_t storage, Id<Action> from) {
    State& state = state_[storage];
    if (!state.life && !always_there(live_.storage[storage].kind)) {
      state.life = result_.lives.size();
      result_.lives.push_back(
          {.storage = Id<Tensor>(storage), .bytes = live_.storage[storage].bytes, .from = from});
    }
  }

  void end_life(std::size_t storage) {
    State& state = state_[storage];
    if (state.life) {
      Life& life = result_.lives[*state.life];
      life.until = state.readers;
      life.until.insert(life.until.end(), state.writers.begin(), state.writers.end());
      state.life.reset();
    }
  }

  // Storages that `step` uses last, or last before they are remade.
  void end_lives(std::size_t step) {
    const auto consider = [&](const std::vector<Id<Tensor>>& tensors) {
      for (const Id<Tensor> tensor : tensors) {
        const std::size_t s = storage_of(tensor);
        const StorageUse& use = live_.storage[s];
        const bool until_remade = fates_[s] == Fate::kRemade && use.last_forward == step;
        if (last_[s] == step || until_remade) {
          end_life(s);
        }
      }
    };
    consider(reads_of(plan_, plan_.steps[step]));
    consider(writes_of(plan_, plan_.steps[step]));
    for (const std::size_t storage : remade_before_[step]) {
      for (const std::size_t writer : live_.storage[storage].forward_writers) {
        consider(operator_of(plan_, plan_.steps[writer])->inputs);
      }
    }
  }

  const Plan& plan_;
  const Liveness& live_;
  const std::vector<Fate>& fates_;
  const Policy& policy_;
  std::vector<State> state_;                             // by storage
  std::vector<std::optional<std::size_t>> need_;         // by storage
  std::vector<std::size_t> last_;                        // by storage: the last step that needs it
  std::vector<std::uint32_t> group_;                     // by step
  std::vector<std::size_t> last_of_group_;               // by group: its last kernel's step
  std::vector<std::vector<std::size_t>> remade_before_;  // by step: storages
  std::vector<std::vector<std::size_t>> offloads_;       // by step
  std::vector<std::vector<std::size_t>> prefetches_;     // by step
  std::vector<std::vector<Id<Action>>> offloads_of_group_;
  std::uint32_t synchronized_ = 0;  // groups before this one have nothing to wait for
  std::optional<Id<Action>> last_kernel_;
  std::optional<Id<Action>> last_exchange_;
  std::vector<Id<Action>> blocking_;
  Schedule result_;
};

}  // namespace

Schedule make_actions(const Plan& plan,
                      const Liveness& live,
                      const std::vector<Fate>& fates,
                      const Policy& policy) {
  return ActionList(plan, live, fates, policy).run();
}

}  // namespace cairn::memory
