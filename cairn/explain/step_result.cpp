#include "cairn/explain/step_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cairn/explain/deciding_classes.hpp"
#include "cairn/explain/step_power.hpp"
#include "cairn/kernel/work.hpp"
#include "cairn/lower/step_collectives.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn::explain {

namespace {

using lower::LoweredStep;
using lower::Machine;
using memory::Action;
using memory::ActionKind;
using memory::Schedule;

constexpr double kRounding = 1e-6;  // relative, of times that are sums of picoseconds

Seconds collective_alone(const Machine& machine, const lower::CollectiveKey& key) {
  sim::Program program = machine.program;
  for (sim::PhaseProgram& part : lower::collective_parts(machine, key)) {
    program.add(sim::Task{std::move(part)});
  }
  return sim::simulate(program).end.since(SimTime{});
}

// The exchanges of a step; identical ones are counted.
std::vector<CollectiveUse> collectives_of(const LoweredStep& step) {
  const plan::Plan& plan = *step.plan;
  std::vector<CollectiveUse> all;
  for (const plan::Exchange& exchange : plan.exchanges) {
    const lower::CollectiveKey key = lower::key_of(exchange, plan);
    const lower::CollectiveTemplate& made = lower::template_for(step.machine, key);
    const auto same = std::ranges::find_if(all, [&](const CollectiveUse& use) {
      return use.op == key.kind.op && use.size == key.size && use.algorithm == made.algorithm &&
             use.protocol == made.protocol;
    });
    if (same != all.end()) {
      same->times += plan.times(exchange.pass);
      continue;
    }
    all.push_back({.op = key.kind.op,
                   .size = key.size,
                   .algorithm = made.algorithm,
                   .protocol = made.protocol,
                   .times = plan.times(exchange.pass)});
  }
  return all;
}

// Nothing if the step has no background work.
std::optional<BackgroundUse> background_of(const LoweredStep& step) {
  const plan::Plan& plan = *step.plan;
  const Schedule& schedule = *step.schedule;
  BackgroundUse use{.cores = static_cast<double>(schedule.launch.background.sms),
                    .bandwidth = schedule.launch.background.memory};
  std::set<std::string> known;
  for (const Action& action : schedule.actions) {
    const bool kernel = action.kind == ActionKind::kBackground;
    if (!kernel &&
        (action.kind != ActionKind::kExchange || !plan.exchanges[action.subject].background)) {
      continue;
    }
    const std::string name = action_name(plan, action);
    if (known.insert(name).second) {
      use.what.push_back(name);
    }
    if (kernel) {
      use.time += step.costs[action.subject].time / schedule.steps();
      use.memory += step.costs[action.subject].memory / schedule.steps();
    }
  }
  return use.what.empty() ? std::nullopt : std::optional(std::move(use));
}

Seconds communication_alone(const LoweredStep& step, std::uint32_t stage) {
  const plan::Plan& plan = *step.plan;
  std::map<lower::CollectiveKey, Seconds> known;
  Seconds sum(0.0);
  for (const plan::Exchange& exchange : plan.exchanges) {
    if (exchange.stage != stage && exchange.to_stage != stage) {
      continue;
    }
    const lower::CollectiveKey key = lower::key_of(exchange, plan);
    const auto [entry, is_new] = known.try_emplace(key, Seconds(0.0));
    if (is_new) {
      entry->second = collective_alone(step.machine, key);
    }
    sum += entry->second * plan.times(exchange.pass);
  }
  return sum;
}

Seconds transfers_alone(const LoweredStep& step, std::uint32_t stage) {
  const Schedule& schedule = *step.schedule;
  const Machine& machine = step.machine;
  Seconds sum(0.0);
  const auto device = std::ranges::find(machine.devices, stage, &lower::DeviceClass::stage);
  for (const Action& action : schedule.actions) {
    if (action.moves() && action.stage == stage) {
      const Id<sim::Demand> demand =
          action.kind == ActionKind::kOffload ? device->offload : device->prefetch;
      sum +=
          action.bytes / machine.store_bandwidth + machine.program.demands[demand.index()].latency;
    }
  }
  return sum;
}

std::vector<ResourceUse> use_of(const Machine& machine,
                                const sim::Timeline& timeline,
                                double steps) {
  std::vector<ResourceUse> uses;
  const double seconds = timeline.end.since(SimTime{}).si() / steps;
  for (std::size_t r = 0; r < machine.traffic.size(); ++r) {
    const comm::Traffic& traffic = machine.traffic[r];
    const Bytes bytes(timeline.use[r].drawn / steps);
    if (bytes > Bytes(0.0)) {
      uses.push_back(
          {.name = traffic.name,
           .members = traffic.members,
           .bandwidth = traffic.bandwidth,
           .traffic = bytes,
           .utilization = seconds > 0.0 ? (bytes / traffic.bandwidth).si() / seconds : 0.0,
           .kind = traffic.kind,
           .index = static_cast<std::uint32_t>(r)});
    }
  }
  std::ranges::stable_sort(uses, std::greater<>(), &ResourceUse::utilization);
  return uses;
}

std::vector<TimedKernel> timed_kernels(const LoweredStep& step) {
  const model::Graph& graph = step.plan->graph;
  std::vector<TimedKernel> kernels;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    kernels.push_back({kernel::work_of(graph, graph.operators[i], step.plan->precision).op,
                       step.costs[i].time * step.plan->times(step.plan->operator_pass[i])});
  }
  return kernels;
}

}  // namespace

Bound bound_by(const StepResult& result) {
  const Breakdown& b = result.breakdown;
  const Seconds most = std::max({b.compute, b.communication_exposed, b.memory_exposed, b.idle});
  // The background alone takes the whole step.
  if (result.background && result.background->time >= result.step_time * (1.0 - kRounding)) {
    return {BoundKind::kBackground, "background kernels"};
  }
  if (b.compute == most) {
    return {BoundKind::kCompute, "compute"};
  }
  if (b.idle == most) {
    return 2.0 * b.issue > b.idle ? Bound{BoundKind::kLaunch, "idle (kernel launch by the host)"}
           : 2.0 * b.background > b.idle
               ? Bound{BoundKind::kBackground, "idle (background kernels)"}
           : result.stages() > 1 ? Bound{BoundKind::kPipeline, "idle (other pipeline stages)"}
                                 : Bound{BoundKind::kIdle, "idle"};
  }
  const bool links_only = b.communication_exposed == most;
  const auto busiest = std::ranges::find_if(result.resources, [&](const ResourceUse& use) {
    return use.kind == ResourceKind::kLink || !links_only;
  });
  const std::string where = busiest == result.resources.end() ? "" : busiest->name;
  const std::string in_parentheses = where.empty() ? "" : fmt::format(" ({})", where);
  return b.memory_exposed == most
             ? Bound{BoundKind::kMemory, "memory" + in_parentheses, where}
             : Bound{BoundKind::kCommunication, "communication" + in_parentheses, where};
}

StepResult explain_step(const LoweredStep& step,
                        const sim::Timeline& timeline,
                        const System& system,
                        Detail detail) {
  const plan::Plan& plan = *step.plan;
  const Schedule& schedule = *step.schedule;
  const double steps = schedule.steps();
  StepResult result{.model = plan.graph.name,
                    .device = system.device.name,
                    .platform = system.platform.name,
                    .strategy = plan.strategy,
                    .devices = plan.devices(),
                    .platform_devices = system.platform.device_count(),
                    .endpoint = system.endpoint,
                    .batch = plan.batch,
                    .steps = schedule.steps(),
                    .step_time = timeline.end.since(SimTime{}) / steps,
                    .macs = plan.macs,
                    .capacity = system.device.memory.capacity,
                    .events = timeline.events};
  result.utilization = plan.macs / (system.device.macs_per_second(plan.precision) * plan.devices() *
                                    result.step_time.si());
  if (!plan.first_of_virtual_stage.empty()) {
    result.cuts.assign(plan.first_of_virtual_stage.begin() + 1, plan.first_of_virtual_stage.end());
  }
  for (const lower::DeviceClass& device_class : step.machine.devices) {
    result.class_members.push_back(device_class.members);
    result.class_stage.push_back(device_class.stage);
  }
  result.micro_batches = {.of = plan.micro_batches,
                          .simulated = plan.planned,
                          .not_repeated = step.not_repeated ? step.not_repeated->why : ""};
  DecidingClasses deciding =
      deciding_classes(step, timeline, system.endpoint, detail == Detail::kRecord);
  result.breakdown = deciding.breakdown;
  result.breakdown_stage = deciding.breakdown_stage;
  result.memory = std::move(deciding.memory);
  result.memory_class = deciding.memory_class;
  result.peak_memory = deciding.peak.in_use;
  result.peak_at = std::move(deciding.peak_at);
  result.peaks = std::move(deciding.peaks);
  result.breakdown.memory = transfers_alone(step, result.breakdown_stage) / steps;
  result.background = background_of(step);
  result.resources = use_of(step.machine, timeline, steps);
  result.traffic = traffic_of_links(step, timeline) / steps;
  result.bound = bound_by(result);
  const memory::StageMemory& most = schedule.fullest();
  result.memory_bound = most.peak;
  result.offloaded = most.offloaded;
  result.moved = most.moved;
  result.recomputed = most.recomputed;
  result.from_checkpoints = most.from_checkpoints;
  const StepPower power = power_of(step, system, result.step_time, result.traffic);
  result.power = power.design;
  result.work_energy = power.work_energy;
  result.cost = power.cost;
  if (detail == Detail::kTrial) {
    return result;
  }
  result.error_bar = error_bar(timed_kernels(step), system.device);
  result.breakdown.communication = communication_alone(step, result.breakdown_stage);
  result.collectives = collectives_of(step);
  const std::vector<ActionSpan> spans = action_spans(step, timeline);
  result.activities = activity_totals(step, spans);
  if (detail == Detail::kRecord) {
    result.record = record_step(step, timeline, spans);
  }
  return result;
}

}  // namespace cairn::explain
