#include "cairn/lower/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "cairn/base/cancellation.hpp"
#include "cairn/comm/engine_chunks.hpp"
#include "cairn/lower/step_collectives.hpp"

namespace cairn::lower {

namespace {

using memory::Action;
using memory::ActionKind;

// Maximum of ordered exchanges, for high priority and for normal priority each.
constexpr std::uint32_t kMaxExchanges = sim::kTurns / 2;

class Lowering {
 public:
  Lowering(const plan::Plan& plan,
           const memory::Schedule& schedule,
           std::span<const kernel::Cost> costs,
           const Machine& machine,
           std::span<const PassTimes> passes)
      : plan_(plan), schedule_(schedule), costs_(costs), machine_(machine) {
    result_.program = machine.program;
    for (const PassTimes& pass : passes) {
      passes_.push_back(result_.program.add(sim::Demand{.latency = exactly(pass.end)}));
    }
    for (std::uint32_t stage = 0; stage <= plan.mesh.stages(); ++stage) {
      const auto first = std::ranges::lower_bound(machine.devices, stage, {}, &DeviceClass::stage);
      first_class_.push_back(static_cast<std::uint32_t>(first - machine.devices.begin()));
    }
    if (!schedule.launch.one_by_one()) {
      add_slots();
    }
    if (schedule.launch.issue > Seconds(0.0)) {
      hosts_.resize(machine.devices.size());
      issuing_ = result_.program.add(sim::Demand{});
    }
  }

  StepProgram run() {
    for (std::size_t a = 0; a < schedule_.actions.size(); ++a) {
      check_cancelled();
      issue(Id<Action>(a));
      result_.first_task.push_back(static_cast<std::uint32_t>(result_.program.tasks.size()));
      add(Id<Action>(a));
      result_.end_task.push_back(static_cast<std::uint32_t>(result_.program.tasks.size()));
    }
    return std::move(result_);
  }

 private:
  // The queue of exchanges over the same devices.
  struct Queue {
    Id<sim::Issuer> issuer{};
    std::uint32_t taken = 0;  // exchanges so far
  };

  // The last launch of a device's host, and the tasks that its next launch waits for.
  struct Host {
    std::optional<Id<sim::Task>> last{};
    std::vector<Id<sim::Task>> waits{};
    bool updates = false;  // the last kernel was a weight update
  };

  // Consecutive weight updates of a stage are launched as one.
  bool follows_update(const Action& action) {
    if (!action.computes()) {
      return false;
    }
    const bool updates = plan_.graph.operators[action.subject].updates_weight();
    return std::exchange(hosts_[first_class_[action.stage]].updates, updates) && updates;
  }

  // Launch of the action by the hosts of all devices of a stage.
  void issue(Id<Action> id) {
    const Action& action = schedule_.actions[id.index()];
    const bool takes_no_time =
        action.runs_operator() && costs_[action.subject].time == Seconds(0.0);  // e.g. a reshape
    if (hosts_.empty() || action.moves() || takes_no_time || follows_update(action)) {
      return;
    }
    // Data is sent to another stage as soon as it is ready; the receiving host launches the
    // receive.
    issue_in(action.kind == ActionKind::kExchange ? plan_.exchanges[action.subject].to_stage
                                                  : action.stage,
             id);
  }

  void issue_in(std::uint32_t stage, Id<Action> id) {
    for (std::uint32_t c = first_class_[stage]; c < first_class_[stage + 1]; ++c) {
      Host& host = hosts_[c];
      sim::Task task{.what = sim::Activity{.demand = issuing_,
                                           .issuer = machine_.devices[c].issuers.kernels,
                                           .work = schedule_.launch.issue.si(),
                                           .age = id.value,
                                           .speed_limit = 1.0},
                     .after = std::exchange(host.waits, {})};
      if (host.last) {
        task.after.push_back(*host.last);
      }
      host.last = Id<sim::Task>(result_.program.tasks.size());
      result_.program.tasks.push_back(std::move(task));
      result_.origin.push_back({.action = id, .device_class = c, .issue = true});
    }
  }

  // No action runs before its launch.
  void wait_for_hosts(std::uint32_t stage, std::vector<Id<sim::Task>>& after) const {
    for (std::uint32_t c = first_class_[stage]; !hosts_.empty() && c < first_class_[stage + 1];
         ++c) {
      if (hosts_[c].last) {
        after.push_back(*hosts_[c].last);
      }
    }
  }

  void add(Id<Action> id) {
    const Action& action = schedule_.actions[id.index()];
    if (action.kind == ActionKind::kExchange) {
      const plan::Exchange& exchange = plan_.exchanges[action.subject];
      const CollectiveKey key = key_of(exchange, plan_);
      std::map<Id<sim::Resource>, Id<sim::Resource>> own;
      std::vector<Id<sim::Task>> after = after_on_all(action);
      wait_for_hosts(exchange.to_stage, after);
      const auto first = static_cast<std::uint32_t>(result_.program.tasks.size());
      std::vector<sim::PhaseProgram> parts = collective_parts(machine_, key);
      put_in_order(parts, exchange);
      for (sim::PhaseProgram& part : parts) {
        if (exchange.contention_free) {
          make_contention_free(part, own);
        }
        push({.what = std::move(part), .after = after}, id, first_class_[action.stage]);
      }
      if (exchange.between_stages()) {
        block_hosts(exchange.to_stage, first);
      }
      return;
    }
    for (std::uint32_t c = first_class_[action.stage]; c < first_class_[action.stage + 1]; ++c) {
      std::vector<Id<sim::Task>> after = after_on(action, c);
      if (action.runs_operator() && !hosts_.empty() && hosts_[c].last) {
        after.push_back(*hosts_[c].last);
      }
      push({.what = activity(action, c, id), .after = std::move(after)}, id, c);
    }
  }

  // Exchanges of the same devices compete as one issuer, in order; all-to-alls, which whole layers
  // wait for, go before gradient all-reduces.
  void put_in_order(std::vector<sim::PhaseProgram>& parts, const plan::Exchange& exchange) {
    constexpr std::uint32_t kLast = kMaxExchanges - 1;
    if (exchange.contention_free) {
      return;
    }
    Queue& queue = queues_
                       .try_emplace(std::tuple(exchange.axes, exchange.stage, exchange.to_stage),
                                    Queue{.issuer = parts.front().issuer})
                       .first->second;
    const std::uint32_t turn = turn_of(queue.taken++, kLast);
    ensure(turn <= kLast, "more exchanges than can be ordered");
    const bool first = exchange.high_priority || exchange.op == comm::Op::kAllToAll;
    for (sim::PhaseProgram& part : parts) {
      part.issuer = queue.issuer;
      part.turn = first ? turn : kLast + 1 + turn;
      part.priority = -static_cast<std::int32_t>(part.turn);
    }
  }

  [[nodiscard]] std::uint32_t turn_of(std::uint32_t place, std::uint32_t last) const {
    switch (schedule_.launch.sequence.exchanges) {
      case memory::ExchangeOrder::kFirstIn:
        return place;
      case memory::ExchangeOrder::kLastIn:
        return last - place;
      case memory::ExchangeOrder::kSequential:
        break;  // each waits for the previous one anyway
    }
    return 0;
  }

  // Hosts of the stage wait until the tasks from `first` on have ended.
  void block_hosts(std::uint32_t stage, std::uint32_t first) {
    for (std::uint32_t c = first_class_[stage]; !hosts_.empty() && c < first_class_[stage + 1];
         ++c) {
      for (std::uint32_t t = first; t < result_.program.tasks.size(); ++t) {
        hosts_[c].waits.emplace_back(t);
      }
    }
  }

  // Replaces the resources of the part by private copies: `own`, by original.
  void make_contention_free(sim::PhaseProgram& part,
                            std::map<Id<sim::Resource>, Id<sim::Resource>>& own) {
    for (sim::Lane& lane : part.lanes) {
      sim::Demand demand = result_.program.demands[lane.demand.index()];
      for (sim::Draw& draw : demand.draws) {
        const auto [copy, is_new] = own.try_emplace(draw.resource);
        if (is_new) {
          copy->second = result_.program.add(result_.program.resources[draw.resource.index()]);
          result_.copies.push_back({copy->second, draw.resource});
        }
        draw.resource = copy->second;
      }
      lane.demand = result_.program.add(std::move(demand));
    }
  }

  void push(sim::Task task, Id<Action> action, std::uint32_t device_class) {
    result_.program.tasks.push_back(std::move(task));
    result_.origin.push_back({.action = action, .device_class = device_class});
  }

  // Resources that concurrent kernels of a device share: slots, granted in program order among
  // ready kernels, and cores.
  struct Slots {
    Id<sim::Resource> slots{};
    Id<sim::Resource> cores{};
  };

  void add_slots() {
    for (std::size_t c = 0; c < machine_.devices.size(); ++c) {
      Slots mine;
      mine.slots = result_.program.add(sim::Resource{.name = "kernel slots",
                                                     .kind = sim::ResourceKind::kHeld,
                                                     .capacity = 1.0 * schedule_.launch.at_once,
                                                     .order = sim::GrantOrder::kPriority});
      const std::optional<sim::Draw>& shared = machine_.devices[c].cores;
      mine.cores = shared ? shared->resource
                          : result_.program.add(sim::Resource{.name = "cores", .capacity = 1.0});
      slots_.push_back(mine);
    }
  }

  // A kernel draws on the cores for the arithmetic part of its time.
  Id<sim::Demand> demand_of(const kernel::Cost& cost, double bytes, std::uint32_t c) {
    const DeviceClass& device = machine_.devices[c];
    if (slots_.empty() && !device.cores) {
      return device.kernel;
    }
    sim::Demand demand = result_.program.demands[device.kernel.index()];
    sim::Draw cores = device.cores.value_or(sim::Draw{});
    if (!slots_.empty()) {
      demand.holds.push_back({slots_[c].slots});
      cores.resource = slots_[c].cores;
    }
    if (cost.compute > Seconds(0.0)) {
      const double all = result_.program.resources[cores.resource.index()].capacity;
      cores.amount *= all * cost.compute.si() / bytes;
      demand.draws.push_back(cores);
    }
    return result_.program.add(std::move(demand));
  }

  // Half a picosecond less: the clock rounds up.
  static Seconds exactly(SimTime time) {
    return Seconds((static_cast<double>(time.picoseconds()) - 0.5) * 1e-12);
  }

  sim::Activity activity(const Action& action, std::uint32_t device_class, Id<Action> id) {
    if (action.kind == ActionKind::kPass) {
      return {.demand = passes_[action.subject],
              .issuer = machine_.devices[device_class].issuers.kernels,
              .age = id.value};
    }
    const DeviceClass& device = machine_.devices[device_class];
    if (action.runs_operator()) {
      // Its memory traffic over its time alone; at least one byte.
      const kernel::Cost& cost = costs_[action.subject];
      const double bytes = std::max(cost.memory.si(), 1.0);
      return {.demand = action.kind == ActionKind::kBackground
                            ? device.background
                            : demand_of(cost, bytes, device_class),
              .issuer = device.issuers.kernels,
              .work = bytes,
              .age = id.value,
              .priority = -static_cast<std::int32_t>(id.value),
              .speed_limit = bytes / cost.time.si()};
    }
    const bool out = action.kind == ActionKind::kOffload;
    return {.demand = out ? device.offload : device.prefetch,
            .issuer = out ? device.issuers.out : device.issuers.in,
            .work = action.bytes.si(),
            .age = id.value};
  }

  // A device waits for its own kernels and transfers, and for collectives.
  [[nodiscard]] std::vector<Id<sim::Task>> after_on(const Action& action,
                                                    std::uint32_t device_class) const {
    std::vector<Id<sim::Task>> tasks;
    for (const Id<Action> before : action.after) {
      const Action& other = schedule_.actions[before.index()];
      if (other.kind == ActionKind::kExchange) {
        append_all(before, tasks);
      } else {
        tasks.emplace_back(result_.first_task[before.index()] + device_class -
                           first_class_[other.stage]);
      }
    }
    return tasks;
  }

  [[nodiscard]] std::vector<Id<sim::Task>> after_on_all(const Action& action) const {
    std::vector<Id<sim::Task>> tasks;
    for (const Id<Action> before : action.after) {
      append_all(before, tasks);
    }
    return tasks;
  }

  void append_all(Id<Action> action, std::vector<Id<sim::Task>>& tasks) const {
    for (std::uint32_t t = result_.first_task[action.index()]; t < result_.end_task[action.index()];
         ++t) {
      tasks.emplace_back(t);
    }
  }

  const plan::Plan& plan_;
  const memory::Schedule& schedule_;
  std::span<const kernel::Cost> costs_;
  const Machine& machine_;
  std::vector<std::uint32_t> first_class_;  // by stage
  std::vector<Slots> slots_;                // by class; empty if kernels run one by one
  std::vector<Host> hosts_;                 // by class; empty if launches take no time
  Id<sim::Demand> issuing_{};
  std::vector<Id<sim::Demand>> passes_{};  // by body of the schedule
  std::map<std::tuple<plan::Axes, std::uint32_t, std::uint32_t>, Queue> queues_;
  StepProgram result_;
};

}  // namespace

StepProgram lower_schedule(const plan::Plan& plan,
                           const memory::Schedule& schedule,
                           std::span<const kernel::Cost> costs,
                           const Machine& machine,
                           std::span<const PassTimes> passes) {
  return Lowering(plan, schedule, costs, machine, passes).run();
}

std::optional<Infeasible> check_exchanges(const memory::LaunchPolicy& launch, double exchanges) {
  if (launch.sequence.exchanges == memory::ExchangeOrder::kSequential ||
      exchanges <= static_cast<double>(kMaxExchanges)) {
    return std::nullopt;
  }
  return Infeasible{Lack::kCollectiveOrder,
                    fmt::format("{:.0f} collectives, more than the {} that can be ordered "
                                "(use order: in_turn, or fewer steps or micro-batches)",
                                exchanges,
                                kMaxExchanges)};
}

std::optional<Infeasible> check_exchanges(const memory::Schedule& schedule) {
  return check_exchanges(schedule.launch,
                         static_cast<double>(std::ranges::count(
                             schedule.actions, ActionKind::kExchange, &Action::kind)));
}

Feasible<LoweredStep> lower_step(std::shared_ptr<const plan::Plan> plan,
                                 std::vector<kernel::Cost> costs,
                                 Machine machine,
                                 std::shared_ptr<const memory::Schedule> schedule,
                                 std::vector<PassTimes> passes,
                                 const comm::Endpoint& endpoint) {
  if (auto too_many = check_exchanges(*schedule)) {
    return *std::move(too_many);
  }
  StepProgram program = lower_schedule(*plan, *schedule, costs, machine, passes);
  if (auto too_many = comm::too_many_chunks(program.program, endpoint)) {
    return *std::move(too_many);
  }
  return LoweredStep{std::move(plan),
                     std::move(costs),
                     std::move(machine),
                     std::move(schedule),
                     std::move(passes),
                     std::move(program)};
}

void add_passes(const LoweredStep& step, sim::Timeline& timeline) {
  for (const PassTimes& pass : step.passes) {
    for (std::size_t r = 0; r < pass.drawn.size(); ++r) {
      timeline.use[r].drawn += pass.drawn[r] * step.plan->repetitions();
    }
    timeline.events += pass.events;
  }
}

}  // namespace cairn::lower
