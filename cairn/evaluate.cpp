#include "cairn/evaluate.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "cairn/comm/engine_chunks.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/explain/step_power.hpp"
#include "cairn/kernel/residency.hpp"
#include "cairn/kernel/work.hpp"
#include "cairn/lower/step.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/recompute.hpp"
#include "cairn/plan/place.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {

namespace {

// Rows of tables are updated by work of the model, whatever the optimizer takes of weights.
bool is_free(const model::Operator& op, const model::Training& training) {
  return op.kind == model::OperatorKind::kUpdate && training.optimizer == model::Optimizer::kFree;
}

explain::ErrorBar error_bar_of(const Workload& workload, const chip::Device& device) {
  std::vector<explain::TimedKernel> kernels;
  const model::Graph& graph = workload.plan->graph;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    kernels.push_back({kernel::work_of(graph, graph.operators[i], workload.precision).op,
                       workload.costs[i].time});
  }
  return explain::error_bar(kernels, device);
}

bool has_tables(const model::Graph& graph) {
  return std::ranges::any_of(graph.operators,
                             [](const model::Operator& op) { return op.lookups.has_value(); });
}

std::vector<kernel::Cost> costs_of(const Workload& workload,
                                   const model::Training& training,
                                   kernel::Cache& kernels,
                                   kernel::Cache* background) {
  const model::Graph& graph = workload.plan->graph;
  kernel::Residency residency(graph, kernels.device(), workload.element);
  std::vector<kernel::Cost> costs;
  costs.reserve(graph.operators.size());
  for (const model::Operator& op : graph.operators) {
    kernel::Work work = kernel::work_of(graph, op, workload.precision);
    const bool apart = op.background && background != nullptr;
    work.held = apart ? Bytes(0.0) : residency.use(op);
    costs.push_back(is_free(op, training) ? kernel::Cost{}
                                          : (apart ? *background : kernels).cost(work));
  }
  return costs;
}

// The workload's own, if it has one that fits.
Feasible<std::shared_ptr<const memory::Schedule>> schedule_of(const Workload& workload,
                                                              const Design& design,
                                                              const lower::Machine& machine) {
  const memory::Limits limits{.capacity = design.device.memory.capacity,
                              .store = machine.store_capacity,
                              .store_bandwidth = machine.store_bandwidth};
  if (workload.schedule != nullptr) {
    auto why_not = memory::does_not_fit(*workload.plan, *workload.schedule, design.memory, limits);
    if (why_not) {
      return *std::move(why_not);
    }
    return workload.schedule;
  }
  auto made = memory::schedule(
      *workload.plan, workload.costs, workload.element, design.memory, limits, design.kernels);
  if (!made) {
    return made.reason();
  }
  return std::make_shared<const memory::Schedule>(std::move(made).value());
}

}  // namespace

Feasible<explain::StepResult> evaluate(const Design& design, const EvaluateOptions& options) {
  kernel::Cache kernels(design.for_kernels());
  kernel::Cache background(design.for_background());
  const auto planned = plan_workload(design);
  if (!planned) {
    return planned.reason();
  }
  return evaluate(design, {*planned, kernels, background}, options);
}

Feasible<explain::StepResult> evaluate(const Design& design,
                                       const Made& made,
                                       const EvaluateOptions& options) {
  const auto workload = make_workload(design, made);
  if (!workload) {
    return workload.reason();
  }
  const auto machine = make_machine(*workload, design);
  if (!machine) {
    return machine.reason();
  }
  return evaluate(*workload, design, *machine, options);
}

Feasible<Workload> plan_workload(const model::Graph& forward,
                                 const plan::Strategy& strategy,
                                 std::uint32_t devices,
                                 const model::Training& training) {
  const auto mesh = plan::make_mesh(strategy, devices);
  if (!mesh) {
    return mesh.reason();
  }
  if (auto uneven = plan::check_batch(strategy, *mesh)) {
    return *std::move(uneven);
  }
  if (training.checkpoints != model::Checkpoints::kNone &&
      !model::has_what_is_made_again(forward, training.checkpoints)) {
    const bool blocks = training.checkpoints == model::Checkpoints::kBlocks;
    return Infeasible{
        "checkpoints",
        forward.name + (blocks ? " has no blocks that repeat" : " stores no scores of attention")};
  }
  if (training.tables == model::Tables::kBackground && !has_tables(forward)) {
    return Infeasible{"tables", forward.name + " has none that are looked up by rows"};
  }
  if (strategy.zero > 0 && training.updates == model::Updates::kBeforeUse) {
    return Infeasible{"zero",
                      "replicas that update parts of the weights gather them when all are updated, "
                      "not before each is used (expected updates: at_end)"};
  }
  const model::Graph graph = model::with_backward_pass(forward, training);
  auto plan = plan::parallelize(graph, strategy, *mesh);
  if (!plan) {
    return plan.reason();
  }
  const double batch = forward.batch * strategy.micro_batches;
  return Workload{.model = forward.name,
                  .strategy = plan::name_of(strategy, *mesh),
                  .batch = batch,
                  .macs = model::macs_of(graph) * strategy.micro_batches,
                  .precision = strategy.precision,
                  .element = chip::element_bytes(strategy.precision),
                  .plan = std::make_shared<const plan::Plan>(std::move(plan).value())};
}

Feasible<Workload> plan_workload(const Design& design) {
  const std::uint32_t devices = design.devices();
  return plan_workload(
      model::build_model(design.model, plan::micro_batch(design.strategy, devices)),
      design.strategy,
      devices,
      design.training);
}

Feasible<Workload> make_workload(const model::Graph& forward,
                                 const plan::Strategy& strategy,
                                 std::uint32_t devices,
                                 kernel::Cache& kernels,
                                 const model::Training& training,
                                 kernel::Cache* background) {
  auto planned = plan_workload(forward, strategy, devices, training);
  if (!planned) {
    return planned;
  }
  Workload workload = std::move(planned).value();
  workload.costs = costs_of(workload, training, kernels, background);
  return workload;
}

Feasible<Workload> make_workload(const Design& design, const Made& made) {
  if (auto reason = chip::lacks(design.device, design.strategy.precision)) {
    return *std::move(reason);
  }
  Workload workload = made.planned;
  workload.costs = costs_of(workload, design.training, made.kernels, &made.background);
  workload.schedule = made.schedule;
  return workload;
}

Feasible<lower::Machine> make_machine(const Workload& workload, const Design& design) {
  platform::Router router(design.platform);
  comm::Realizer realizer(router, design.machine.endpoint, design.machine.collectives);
  const auto placement = plan::place(*workload.plan, design.strategy, realizer);
  if (!placement) {
    return placement.reason();
  }
  lower::MachineOptions options = design.machine;
  if (design.in_background()) {
    options.background = design.kernels.background.memory;
  }
  return lower::make_machine(realizer,
                             design.for_kernels(),
                             workload.plan->mesh,
                             *placement,
                             lower::collectives_of(*workload.plan, workload.element),
                             options);
}

Feasible<explain::StepResult> evaluate(const Workload& workload,
                                       const Design& design,
                                       const lower::Machine& machine,
                                       const EvaluateOptions& options) {
  const auto& [model, strategy, batch, macs, precision, element, shared_plan, costs, made] =
      workload;
  const plan::Plan& plan = *shared_plan;
  if (design.memory.tables == memory::TablesIn::kStore && !has_tables(plan.graph)) {
    return Infeasible{"memory.tables", model + " has none that are looked up by rows"};
  }
  if (design.memory.needs_store() && !machine.has_store) {
    return Infeasible{"backing store",
                      design.platform.name +
                          " has neither memory-nodes beside its devices nor a "
                          "host socket to move feature maps or tables to"};
  }
  const auto scheduled = schedule_of(workload, design, machine);
  if (!scheduled) {
    return scheduled.reason();
  }
  const std::shared_ptr<const memory::Schedule>& schedule = *scheduled;
  if (auto too_many = lower::too_many_exchanges(*schedule)) {
    return *std::move(too_many);
  }
  const lower::StepProgram program = lower::lower_step(plan, *schedule, costs, element, machine);
  if (const auto too_many = comm::too_many_chunks(program.program, design.machine.endpoint)) {
    return *too_many;
  }
  const sim::Timeline timeline = sim::simulate(program.program);
  if (timeline.end == SimTime::never()) {
    return Infeasible{"simulated time", "it takes longer than the 106 days that can be simulated"};
  }

  explain::StepResult result{.model = model,
                             .device = design.device.name,
                             .platform = design.platform.name,
                             .strategy = strategy,
                             .devices = plan.devices(),
                             .endpoint = design.machine.endpoint,
                             .batch = batch,
                             .macs = macs,
                             .error_bar = error_bar_of(workload, design.device),
                             .capacity = design.device.memory.capacity};
  explain::explain_step(
      plan, *schedule, costs, machine, program, timeline, element, options.record, result);
  if (result.overflow() > Bytes(0.0) && design.memory.capacity == memory::Capacity::kLimit) {
    return memory::too_much(result.peak_memory, result.peak_at, result.capacity);
  }
  explain::explain_power(plan, *schedule, costs, precision, design.device, design.platform, result);
  result.utilization = result.macs / (design.device.macs_per_second(precision) * plan.devices() *
                                      result.step_time.si());
  return result;
}

}  // namespace cairn
