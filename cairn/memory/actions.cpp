#include "cairn/memory/actions.hpp"

#include <map>
#include <optional>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/memory/action_list.hpp"
#include "cairn/memory/exchange_channel.hpp"
#include "cairn/memory/tables.hpp"
#include "cairn/memory/transfer_triggers.hpp"

namespace cairn::memory {

namespace {

using model::Operator;
using model::Pass;
using model::Tensor;
using plan::Exchange;
using plan::Plan;

using Tensors = std::vector<Id<Tensor>>;

class PlanActions {
 public:
  PlanActions(const Plan& plan,
              const Liveness& live,
              const std::vector<Residency>& residency,
              const Policy& policy,
              const LaunchPolicy& launch)
      : plan_(plan),
        live_(live),
        policy_(policy),
        groups_(layer_groups(plan)),
        triggers_(find_transfer_triggers(plan, live, residency, groups_, policy)),
        rows_(looked_up_rows(plan, policy)),
        actions_(plan, live, rows_),
        stages_(plan.mesh.stages()),
        updates_(live.storage.size()),
        runs_(plan.graph.operators.size()) {
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      stages_[s].offloads.resize(groups_.last_kernel[s].size());
    }
    result_.stages.resize(stages_.size());
    result_.launch = launch;
  }

  Schedule run() {
    add_weights_and_tables();
    const std::uint32_t steps = result_.launch.sequence.steps;
    for (std::uint32_t step = 0; step < steps; ++step) {
      if (step > 0) {
        actions_.swap_buffers();
      }
      add_training_step(step + 1 < steps &&
                        result_.launch.sequence.updates == model::Updates::kBeforeUse);
    }
    for (StageMemory& stage : result_.stages) {  // average of a step
      stage.offloaded = stage.offloaded / steps;
      stage.moved = stage.moved / steps;
      stage.recomputed = stage.recomputed / steps;
      stage.from_checkpoints = stage.from_checkpoints / steps;
    }
    std::move(actions_).move_to(result_);
    return std::move(result_);
  }

 private:
  void add_weights_and_tables() {
    for (std::size_t s = 0; s < live_.storage.size(); ++s) {
      const StorageUse& use = live_.storage[s];
      if (!use.first) {
        continue;
      }
      if (rows_[s]) {
        result_.stages[use.stage].tables += use.bytes;
      } else if (actions_.is_always_live(s)) {
        result_.stages[use.stage].weights += use.bytes;
      }
    }
  }

  // `updates_wait`: weights are updated right before their first reader in the next step.
  void add_training_step(bool updates_wait) {
    for (Stage& stage : stages_) {
      stage.synchronized = 0;
      stage.before_step = stage.last_kernel;
    }
    for (std::size_t step = 0; step < plan_.tasks.size(); ++step) {
      check_cancelled();
      if (const Operator* op = operator_of(plan_, plan_.tasks[step]);
          updates_wait && op != nullptr && op->pass == Pass::kUpdate && !op->background) {
        updates_[storage_of(op->outputs.front())].push_back(step);
        continue;
      }
      for (const Id<Tensor> tensor : reads_of(plan_, plan_.tasks[step])) {
        for (const std::size_t update : std::exchange(updates_[storage_of(tensor)], {})) {
          add_step(update, step);
        }
      }
      for (const std::size_t storage : triggers_.recomputed_before[step]) {
        recompute(storage, step);
      }
      add_step(step, step);
      for (const std::size_t storage : triggers_.offloads[step]) {
        offload(storage, step);
      }
      for (const std::size_t storage : triggers_.prefetches[step]) {
        prefetch(storage);
      }
      for (const std::size_t storage : triggers_.freed[step]) {
        actions_.free(storage);
      }
    }
  }

  // Dependencies of the next actions of a stage's devices.
  struct Stage {
    std::optional<Id<Action>> last_kernel{};
    std::optional<Id<Action>> last_background{};
    std::optional<Id<Action>> before_step{};  // background kernels of a step wait for it
    std::optional<Id<Action>> last_offload{};
    std::optional<Id<Action>> last_prefetch{};
    std::vector<Id<Action>> blocking{};               // exchanges
    std::vector<std::vector<Id<Action>>> offloads{};  // by group
    std::uint32_t synchronized = 0;                   // kernels have waited for all groups before
  };

  // `at`: the position in plan order at which it runs.
  void add_step(std::size_t step, std::size_t at) {
    if (const auto* op = std::get_if<Id<Operator>>(&plan_.tasks[step])) {
      add_kernel(*op, at);
    } else {
      add_exchange(std::get<Id<Exchange>>(plan_.tasks[step]));
    }
  }

  void add_kernel(Id<Operator> id, std::size_t at) {
    const Operator& op = plan_.graph.operators[id.index()];
    const std::uint32_t stage = plan_.operator_stage[id.index()];
    fetch_rows(op, stage);
    Action action{.kind = op.background ? ActionKind::kBackground
                          : op.again    ? ActionKind::kRecompute
                                        : ActionKind::kKernel,
                  .subject = id.value,
                  .pass = plan_.operator_pass[id.index()],
                  .layer = op.layer,
                  .stage = stage};
    if (op.background) {
      wait_for(action, stages_[stage].before_step);
      wait_for(action, stages_[stage].last_background);
      stages_[stage].last_background = actions_.add(std::move(action), op.inputs, op.outputs);
    } else {
      for (const Id<Tensor> output : op.again ? op.outputs : Tensors{}) {
        result_.stages[stage].recomputed += live_.storage[storage_of(output)].bytes;
        result_.stages[stage].from_checkpoints += live_.storage[storage_of(output)].bytes;
      }
      wait_as_kernel(action, at);
      stages_[stage].last_kernel = actions_.add(std::move(action), op.inputs, op.outputs);
      runs_[id.index()] = stages_[stage].last_kernel;
    }
    store_rows(op, stage);
  }

  void add_exchange(Id<Exchange> id) {
    const Exchange& exchange = plan_.exchanges[id.index()];
    Action action{.kind = ActionKind::kExchange,
                  .subject = id.value,
                  .pass = exchange.pass,
                  .layer = exchange.layer,
                  .stage = exchange.stage};
    if (exchange.after) {
      wait_for(action, runs_[exchange.after->index()]);
    }
    auto& last = channels_[channel_of(exchange, id)];
    if (result_.launch.sequence.exchanges == ExchangeOrder::kSequential) {
      wait_for(action, last);
    }
    last = actions_.add(std::move(action), exchange.from, exchange.to);
    if (exchange.blocking) {
      stages_[exchange.to_stage].blocking.push_back(*last);
    }
  }

  // Kernels run one after the other, unless they may run as they are ready, and wait for the
  // transfers they are synchronized with.
  void wait_as_kernel(Action& action, std::size_t step) {
    Stage& stage = stages_[action.stage];
    if (result_.launch.one_by_one()) {
      wait_for(action, stage.last_kernel);
    }
    for (const Id<Action> id : std::exchange(stage.blocking, {})) {
      action.after.push_back(id);
    }
    if (policy_.overlap == Overlap::kFree) {
      return;
    }
    // Offloads that began after a kernel of group g overlap with group g + 1, not beyond.
    const std::uint32_t distance = policy_.overlap == Overlap::kLayer ? 2 : 0;
    const std::uint32_t group = groups_.at(action.stage, step);
    while (stage.synchronized < stage.offloads.size() && stage.synchronized + distance <= group) {
      auto& pending = stage.offloads[stage.synchronized];
      action.after.insert(action.after.end(), pending.begin(), pending.end());
      pending.clear();
      if (stage.synchronized == group) {
        break;
      }
      ++stage.synchronized;
    }
  }

  void recompute(std::size_t storage, std::size_t step) {
    const Operator* reader = operator_of(plan_, plan_.tasks[step]);
    const std::uint32_t stage = live_.storage[storage].stage;
    for (const std::size_t writer : live_.storage[storage].forward_writers) {
      const Id<Operator> op = std::get<Id<Operator>>(plan_.tasks[writer]);
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
          actions_.add(std::move(action), plan_.graph.operators[op.index()].inputs, writes);
    }
    result_.stages[stage].recomputed += live_.storage[storage].bytes;
  }

  void offload(std::size_t storage, std::size_t step) {
    const Bytes bytes = offloaded_bytes(storage);
    const std::uint32_t stage = live_.storage[storage].stage;
    Action action{.kind = ActionKind::kOffload,
                  .subject = static_cast<std::uint32_t>(storage),
                  .layer = actions_.back().layer,
                  .stage = stage,
                  .bytes = bytes};
    wait_for(action, policy_.in_order ? stages_[stage].last_offload : std::nullopt);
    const Id<Action> id = actions_.add(std::move(action), {Id<Tensor>(storage)}, {});
    stages_[stage].last_offload = id;
    stages_[stage].offloads[groups_.at(stage, step)].push_back(id);
    result_.stages[stage].offloaded += live_.storage[storage].bytes;
    result_.stages[stage].moved += bytes;
    actions_.free(storage);
  }

  void prefetch(std::size_t storage) {
    const std::uint32_t stage = live_.storage[storage].stage;
    Action action{.kind = ActionKind::kPrefetch,
                  .subject = static_cast<std::uint32_t>(storage),
                  .layer = actions_.back().layer,
                  .stage = stage,
                  .bytes = offloaded_bytes(storage)};
    wait_for(action, stages_[stage].last_kernel);
    wait_for(action, policy_.in_order ? stages_[stage].last_prefetch : std::nullopt);
    stages_[stage].last_prefetch = actions_.add(std::move(action), {}, {Id<Tensor>(storage)});
  }

  // Tables in the backing store: rows are fetched as soon as those of the previous step are written
  // back, since a step's samples are known when it begins.
  void fetch_rows(const Operator& op, std::uint32_t stage) {
    for (const Id<Tensor> table : stored_tables(plan_, rows_, op)) {
      if (op.pass == Pass::kForward || !actions_.has_open_range(storage_of(table))) {
        actions_.add(transfer_of_rows(ActionKind::kPrefetch, op, table, stage), {}, {table});
      }
    }
  }

  // Updated rows are written back.
  void store_rows(const Operator& op, std::uint32_t stage) {
    for (const Id<Tensor> table :
         op.pass == Pass::kUpdate ? stored_tables(plan_, rows_, op) : Tensors{}) {
      Action action = transfer_of_rows(ActionKind::kOffload, op, table, stage);
      result_.stages[stage].moved += action.bytes;
      actions_.add(std::move(action), {table}, {});
      actions_.free(storage_of(table));
    }
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

  [[nodiscard]] Bytes offloaded_bytes(std::size_t storage) const {
    return memory::offloaded_bytes(plan_, live_.storage[storage], policy_.compression);
  }

  static void wait_for(Action& action, const std::optional<Id<Action>>& other) {
    if (other) {
      action.after.push_back(*other);
    }
  }

  [[nodiscard]] std::size_t storage_of(Id<Tensor> tensor) const {
    return plan_.graph.tensor(tensor).storage.index();
  }

  const Plan& plan_;
  const Liveness& live_;
  const Policy& policy_;
  LayerGroups groups_;
  TransferTriggers triggers_;
  std::vector<std::optional<Bytes>> rows_;  // by storage: rows to fetch, of a stored table
  ActionList actions_;
  std::vector<Stage> stages_;                                      // by stage
  std::map<ExchangeChannel, std::optional<Id<Action>>> channels_;  // the last exchange of each
  std::vector<std::vector<std::size_t>> updates_;  // by storage: steps that wait to write it
  std::vector<std::optional<Id<Action>>> runs_;    // by operator of the plan: its last kernel
  Schedule result_;
};

}  // namespace

Schedule make_actions(const Plan& plan,
                      const Liveness& live,
                      const std::vector<Residency>& residency,
                      const Policy& policy,
                      const LaunchPolicy& launch) {
  return PlanActions(plan, live, residency, policy, launch).run();
}

}  // namespace cairn::memory
