#include "cairn/evaluate.hpp"

#include <utility>

#include "cairn/kernel/costs.hpp"
#include "cairn/memory/schedule.hpp"
#include "cairn/plan/place.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {

namespace {

Feasible<std::shared_ptr<const memory::Schedule>> schedule_of(
    const std::shared_ptr<const plan::Plan>& plan,
    const std::vector<kernel::Cost>& costs,
    const lower::Machine& machine,
    const Design& design,
    EvaluationCache& cache) {
  if (auto reason =
          memory::check_policy(*plan, design.memory, machine.has_store, design.platform.name)) {
    return *std::move(reason);
  }
  const memory::Limits limits{.capacity = design.device.memory.capacity,
                              .store = machine.store_capacity,
                              .store_bandwidth = machine.store_bandwidth};
  if (design.memory.same_on_every_device()) {
    auto schedule = cache.schedule(plan, design);
    if (auto reason = memory::does_not_fit(*plan, *schedule, design.memory, limits)) {
      return *std::move(reason);
    }
    return schedule;
  }
  auto schedule = memory::schedule(*plan, costs, design.memory, limits, design.kernels);
  if (!schedule) {
    return schedule.reason();
  }
  return std::make_shared<const memory::Schedule>(std::move(schedule).value());
}

}  // namespace

Feasible<explain::StepResult> evaluate(const Design& design, Detail detail) {
  EvaluationCache cache;
  return evaluate(design, cache, detail);
}

Feasible<explain::StepResult> evaluate(const Design& design,
                                       EvaluationCache& cache,
                                       Detail detail) {
  const auto step = lower_step(design, cache);
  if (!step) {
    return step.reason();
  }
  return simulate_step(*step, design, detail);
}

Feasible<std::vector<kernel::Cost>> cost_kernels(const plan::Plan& plan,
                                                 const Design& design,
                                                 EvaluationCache& cache) {
  if (auto reason = chip::lacks(design.device, plan.precision)) {
    return *std::move(reason);
  }
  const auto foreground = cache.kernels(design.for_kernels());
  const auto background = cache.kernels(design.for_background());
  return kernel::costs_of(plan.graph,
                          plan.precision,
                          design.training.optimizer,
                          {*foreground, *background, design.kernels.scale});
}

Feasible<lower::LoweredStep> lower_step(const Design& design, EvaluationCache& cache) {
  const auto plan = cache.plan(design);
  if (!plan) {
    return plan.reason();
  }
  auto costs = cost_kernels(**plan, design, cache);
  if (!costs) {
    return costs.reason();
  }
  platform::Router router(design.platform);
  comm::Realizer realizer(router, design.machine.endpoint, design.machine.collectives);
  const auto placement = plan::place(**plan, design.strategy, realizer);
  if (!placement) {
    return placement.reason();
  }
  auto machine = lower::make_machine(realizer,
                                     design.for_kernels(),
                                     (*plan)->mesh,
                                     *placement,
                                     lower::collectives_of(**plan),
                                     design.machine_options());
  if (!machine) {
    return machine.reason();
  }
  auto schedule = schedule_of(*plan, *costs, *machine, design, cache);
  if (!schedule) {
    return schedule.reason();
  }
  return lower::lower_step(*plan,
                           std::move(costs).value(),
                           std::move(machine).value(),
                           std::move(schedule).value(),
                           design.machine.endpoint);
}

Feasible<explain::StepResult> simulate_step(const lower::LoweredStep& step,
                                            const Design& design,
                                            Detail detail) {
  const sim::Timeline timeline = sim::simulate(step.program.program);
  if (timeline.end == SimTime::never()) {
    return Infeasible{Lack::kSimulatedTime,
                      "it takes longer than the 106 days that can be simulated"};
  }
  explain::StepResult result = explain::explain_step(
      step, timeline, {design.device, design.platform, design.machine.endpoint}, detail);
  if (result.overflow() > Bytes(0.0) && design.memory.capacity == memory::Capacity::kLimit) {
    return memory::too_much(result.peak_memory, result.peak_at, result.capacity);
  }
  return result;
}

}  // namespace cairn
