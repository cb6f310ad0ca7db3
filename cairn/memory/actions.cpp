#include "cairn/memory/actions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/memory/moments.hpp"
#include "cairn/memory/tables.hpp"

namespace cairn::memory {

namespace {

using model::Operator;
using model::OperatorKind;
using model::Pass;
using model::Tensor;
using model::TensorKind;
using plan::Exchange;
using plan::Plan;

using Tensors = std::vector<Id<Tensor>>;

class ActionList {
 public:
  ActionList(const Plan& plan,
             const Liveness& live,
             const std::vector<Fate>& fates,
             const Policy& policy,
             const Dispatch& dispatch)
      : plan_(plan),
        live_(live),
        fates_(fates),
        policy_(policy),
        groups_(layer_groups(plan)),
        moments_(find_moments(plan, live, fates, groups_, policy)),
        state_(fates.size()),
        stages_(plan.mesh.stages()) {
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      stages_[s].offloads.resize(groups_.last_kernel[s].size());
    }
    result_.stages.resize(stages_.size());
    result_.dispatch = dispatch;
    updates_.resize(fates.size());
    rows_ = rows_in_turn(plan, policy);
    carried_.resize(fates.size());
    runs_.resize(plan.graph.operators.size());
    for (const plan::Carried& each : plan.carried) {
      carried_[each.made.index()] = true;
      carried_[each.read.index()] = true;
    }
  }

  Schedule run() {
    begin_lives_from_outside();
    const std::uint32_t turns = result_.dispatch.sequence.steps;
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      if (turn > 0) {
        carry_over();
      }
      take_turn(turn + 1 < turns &&
                result_.dispatch.sequence.updates == model::Updates::kBeforeUse);
    }
    for (StageMemory& stage : result_.stages) {  // of one step
      stage.offloaded = stage.offloaded / turns;
      stage.moved = stage.moved / turns;
      stage.recomputed = stage.recomputed / turns;
      stage.from_checkpoints = stage.from_checkpoints / turns;
    }
    return std::move(result_);
  }

 private:
  // One training step. `updates_wait`: for those who read the weights in the next.
  void take_turn(bool updates_wait) {
    for (Stage& stage : stages_) {
      stage.synchronized = 0;
      stage.before_step = stage.last_kernel;
    }
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      check_cancelled();
      if (const Operator* op = operator_of(plan_, plan_.steps[step]);
          updates_wait && op != nullptr && op->pass == Pass::kUpdate && !op->background) {
        updates_[storage_of(op->outputs.front())].push_back(step);
        continue;
      }
      for (const Id<Tensor> tensor : reads_of(plan_, plan_.steps[step])) {
        for (const std::size_t update : std::exchange(updates_[storage_of(tensor)], {})) {
          add_step(update, step);
        }
      }
      for (const std::size_t storage : moments_.remade_before[step]) {
        remake(storage, step);
      }
      add_step(step, step);
      for (const std::size_t storage : moments_.offloads[step]) {
        offload(storage, step);
      }
      for (const std::size_t storage : moments_.prefetches[step]) {
        prefetch(storage);
      }
      end_lives(step);
    }
  }

  // What a step made for the next is there now, and what that reads of it was made. Both have room
  // of their own, which they change: who makes the next waits for who reads what was there.
  void carry_over() {
    for (const plan::Carried& each : plan_.carried) {
      std::swap(state_[each.made.index()], state_[each.read.index()]);
    }
  }

  // Who wrote and read a storage last.
  struct State {
    std::vector<Id<Action>> writers{};
    std::vector<Id<Action>> readers{};
    std::optional<std::size_t> life{};  // in result_.lives
    std::optional<Id<Action>> offload{};
  };

  // What the devices of a stage do next waits for.
  struct Stage {
    std::optional<Id<Action>> last_kernel{};
    std::optional<Id<Action>> last_background{};  // likewise, of kernels beside these ...
    std::optional<Id<Action>> before_step{};      // ... which begin with the step
    std::optional<Id<Action>> last_offload{};
    std::optional<Id<Action>> last_prefetch{};
    std::vector<Id<Action>> blocking{};               // exchanges
    std::vector<std::vector<Id<Action>>> offloads{};  // by group
    std::uint32_t synchronized = 0;                   // groups before have nothing to wait for
  };

  // Exchanges of one channel run one after the other: collectives of one stage over the same axes,
  // transfers from one stage to another. What goes before others has a channel of its own, and
  // again if it is in the background; what has links for itself, too.
  struct Channel {
    plan::Axes axes{};
    std::uint32_t stage = 0;
    std::uint32_t to_stage = 0;
    bool goes_first = false;
    bool background = false;
    std::optional<std::uint32_t> unshared{};

    auto operator<=>(const Channel&) const = default;
  };

  static Channel channel_of(const Exchange& exchange, Id<Exchange> id) {
    return {.axes = exchange.axes,
            .stage = exchange.stage,
            .to_stage = exchange.to_stage,
            .goes_first = exchange.goes_first,
            .background = exchange.background,
            .unshared = exchange.unshared ? std::optional(id.value) : std::nullopt};
  }

  // `at`: where in the order of the plan it comes.
  void add_step(std::size_t step, std::size_t at) {
    if (const Operator* op = operator_of(plan_, plan_.steps[step])) {
      const std::uint32_t stage = stage_of(plan_, plan_.steps[step]);
      fetch_rows(*op, stage);
      if (op->background) {
        Action action{.kind = ActionKind::kBackground,
                      .subject = std::get<Id<Operator>>(plan_.steps[step]).value,
                      .layer = op->layer,
                      .stage = stage};
        wait_for(action, stages_[stage].before_step);
        wait_for(action, stages_[stage].last_background);
        stages_[stage].last_background = add(std::move(action), op->inputs, op->outputs);
        store_rows(*op, stage);
        return;
      }
      Action action{.kind = op->again ? ActionKind::kRecompute : ActionKind::kKernel,
                    .subject = std::get<Id<Operator>>(plan_.steps[step]).value,
                    .layer = op->layer,
                    .stage = stage};
      if (op->again) {
        for (const Id<Tensor> output : op->outputs) {
          result_.stages[stage].recomputed += live_.storage[storage_of(output)].bytes;
          result_.stages[stage].from_checkpoints += live_.storage[storage_of(output)].bytes;
        }
      }
      wait_as_kernel(action, at);
      const std::uint32_t subject = action.subject;
      stages_[stage].last_kernel = add(std::move(action), op->inputs, op->outputs);
      runs_[subject] = stages_[stage].last_kernel;
      store_rows(*op, stage);
      return;
    }
    const Id<Exchange> id = std::get<Id<Exchange>>(plan_.steps[step]);
    const Exchange& exchange = plan_.exchanges[id.index()];
    Action action{.kind = ActionKind::kExchange,
                  .subject = id.value,
                  .layer = exchange.layer,
                  .stage = exchange.stage};
    if (exchange.after) {
      wait_for(action, runs_[exchange.after->index()]);
    }
    auto& last = channels_[channel_of(exchange, id)];
    if (result_.dispatch.sequence.exchanges == ExchangeOrder::kInTurn) {
      wait_for(action, last);
    }
    last = add(std::move(action), exchange.from, exchange.to);
    if (exchange.blocking) {
      stages_[exchange.to_stage].blocking.push_back(*last);
    }
  }

  // Kernels run one after the other, unless they may run when they are ready, and wait for the
  // transfers they are synchronized with.
  void wait_as_kernel(Action& action, std::size_t step) {
    Stage& stage = stages_[action.stage];
    if (result_.dispatch.one_by_one()) {
      wait_for(action, stage.last_kernel);
    }
    for (const Id<Action> id : std::exchange(stage.blocking, {})) {
      action.after.push_back(id);
    }
    if (policy_.overlap == Overlap::kFree) {
      return;
    }
    // Offloads that began after a kernel of group g overlap with group g + 1, not beyond.
    const std::uint32_t patience = policy_.overlap == Overlap::kLayer ? 2 : 0;
    const std::uint32_t group = groups_.at(action.stage, step);
    while (stage.synchronized < stage.offloads.size() && stage.synchronized + patience <= group) {
      auto& pending = stage.offloads[stage.synchronized];
      action.after.insert(action.after.end(), pending.begin(), pending.end());
      pending.clear();
      if (stage.synchronized == group) {
        break;
      }
      ++stage.synchronized;
    }
  }

  void remake(std::size_t storage, std::size_t step) {
    const Operator* reader = operator_of(plan_, plan_.steps[step]);
    const std::uint32_t stage = live_.storage[storage].stage;
    for (const std::size_t writer : live_.storage[storage].forward_writers) {
      const Id<Operator> op = std::get<Id<Operator>>(plan_.steps[writer]);
      Action action{.kind = ActionKind::kRecompute,
                    .subject = op.value,
                    .layer = reader == nullptr ? 0 : reader->layer,
                    .stage = stage};
      wait_as_kernel(action, step);
      std::vector<Id<Tensor>> writes;
      for (const Id<Tensor> output : plan_.graph.operators[op.index()].outputs) {
        if (storage_of(output) == storage) {
          writes.push_back(output);
        }
      }
      stages_[stage].last_kernel =
          add(std::move(action), plan_.graph.operators[op.index()].inputs, writes);
    }
    result_.stages[stage].recomputed += live_.storage[storage].bytes;
  }

  void offload(std::size_t storage, std::size_t step) {
    const Bytes bytes = moved_bytes(storage);
    const std::uint32_t stage = live_.storage[storage].stage;
    Action action{.kind = ActionKind::kOffload,
                  .subject = static_cast<std::uint32_t>(storage),
                  .layer = result_.actions.back().layer,
                  .stage = stage,
                  .bytes = bytes};
    wait_for(action, policy_.in_order ? stages_[stage].last_offload : std::nullopt);
    const Id<Action> id = add(std::move(action), {Id<Tensor>(storage)}, {});
    state_[storage].offload = id;
    stages_[stage].last_offload = id;
    stages_[stage].offloads[groups_.at(stage, step)].push_back(id);
    result_.stages[stage].offloaded += live_.storage[storage].bytes;
    result_.stages[stage].moved += bytes;
    end_life(storage);
  }

  void prefetch(std::size_t storage) {
    const std::uint32_t stage = live_.storage[storage].stage;
    Action action{.kind = ActionKind::kPrefetch,
                  .subject = static_cast<std::uint32_t>(storage),
                  .layer = result_.actions.back().layer,
                  .stage = stage,
                  .bytes = moved_bytes(storage)};
    wait_for(action, state_[storage].offload);
    wait_for(action, stages_[stage].last_kernel);
    wait_for(action, policy_.in_order ? stages_[stage].last_prefetch : std::nullopt);
    stages_[stage].last_prefetch = add(std::move(action), {}, {Id<Tensor>(storage)});
  }

  // Of tables in the backing store: rows that are looked up come as soon as what was written of
  // them before has gone, since a step's samples are known when it begins.
  void fetch_rows(const Operator& op, std::uint32_t stage) {
    for (const Id<Tensor> table : rows_of(op)) {
      if (op.pass == Pass::kForward || !state_[storage_of(table)].life) {
        add(transfer_of_rows(ActionKind::kPrefetch, op, table, stage), {}, {table});
      }
    }
  }

  // And those that were updated go back.
  void store_rows(const Operator& op, std::uint32_t stage) {
    for (const Id<Tensor> table : op.pass == Pass::kUpdate ? rows_of(op) : Tensors{}) {
      Action action = transfer_of_rows(ActionKind::kOffload, op, table, stage);
      result_.stages[stage].moved += action.bytes;
      add(std::move(action), {table}, {});
      end_life(storage_of(table));
    }
  }

  // The tables of an operator that are in the backing store.
  [[nodiscard]] Tensors rows_of(const Operator& op) const {
    Tensors tables;
    for (const Tensors* tensors : {&op.inputs, &op.outputs}) {
      for (const Id<Tensor> tensor : *tensors) {
        if (rows_[storage_of(tensor)] && std::ranges::find(tables, tensor) == tables.end()) {
          tables.push_back(tensor);
        }
      }
    }
    return tables;
  }

  [[nodiscard]] Action transfer_of_rows(ActionKind kind,
                                        const Operator& op,
                                        Id<Tensor> table,
                                        std::uint32_t stage) const {
    return {.kind = kind,
            .subject = table.value,
            .layer = op.layer,
            .stage = stage,
            .bytes = *rows_[storage_of(table)]};
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
      if (live_.storage[storage].from_outside) {
        begin_life(storage, id);  // the gradient of the loss, samples of a further step
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

  // Copies of weights, in another layout, come and go; of tables in the backing store, rows do.
  [[nodiscard]] bool always_there(std::size_t storage) const {
    const StorageUse& use = live_.storage[storage];
    return !rows_[storage] && (use.kind == TensorKind::kWeightGradient ||
                               (use.kind == TensorKind::kWeight && use.from_outside));
  }

  void begin_lives_from_outside() {
    for (std::size_t s = 0; s < live_.storage.size(); ++s) {
      const StorageUse& use = live_.storage[s];
      if (!use.first) {
        continue;
      }
      if (rows_[s]) {
        result_.stages[use.stage].tables += use.bytes;
        continue;
      }
      if (always_there(s)) {
        result_.stages[use.stage].weights += use.bytes;
      } else if (use.from_outside && (use.kind != TensorKind::kGradient || carried_[s])) {
        state_[s].life = result_.lives.size();
      } else {
        continue;
      }
      result_.lives.push_back({.storage = Id<Tensor>(s), .stage = use.stage, .bytes = use.bytes});
    }
  }

  void begin_life(std::size_t storage, Id<Action> from) {
    State& state = state_[storage];
    const StorageUse& use = live_.storage[storage];
    if (!state.life && !always_there(storage)) {
      state.life = result_.lives.size();
      result_.lives.push_back({.storage = Id<Tensor>(storage),
                               .stage = use.stage,
                               .bytes = rows_[storage].value_or(use.bytes),
                               .from = from});
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
        const bool for_next = carried_[s] && !use.from_outside;
        if ((moments_.last[s] == step || until_remade) && !for_next) {
          end_life(s);
        }
      }
    };
    consider(reads_of(plan_, plan_.steps[step]));
    consider(writes_of(plan_, plan_.steps[step]));
    for (const std::size_t storage : moments_.remade_before[step]) {
      for (const std::size_t writer : live_.storage[storage].forward_writers) {
        consider(operator_of(plan_, plan_.steps[writer])->inputs);
      }
    }
  }

  const Plan& plan_;
  const Liveness& live_;
  const std::vector<Fate>& fates_;
  const Policy& policy_;
  LayerGroups groups_;
  Moments moments_;
  std::vector<State> state_;                               // by storage
  std::vector<Stage> stages_;                              // by stage
  std::map<Channel, std::optional<Id<Action>>> channels_;  // the last exchange of each
  std::vector<std::vector<std::size_t>> updates_;  // by storage: steps that wait to write it
  std::vector<std::optional<Bytes>> rows_;         // by storage: of a table, what comes and goes
  std::vector<bool> carried_;                      // by storage: from a step to the next
  std::vector<std::optional<Id<Action>>> runs_;    // by operator of the plan: its last kernel
  Schedule result_;
};

}  // namespace

Schedule make_actions(const Plan& plan,
                      const Liveness& live,
                      const std::vector<Fate>& fates,
                      const Policy& policy,
                      const Dispatch& dispatch) {
  return ActionList(plan, live, fates, policy, dispatch).run();
}

}  // namespace cairn::memory
