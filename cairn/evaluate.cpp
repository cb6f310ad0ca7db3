#include "cairn/evaluate.hpp"

#include <utility>

#include "cairn/kernel/costs.hpp"
#include "cairn/plan/place.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {

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
  if (auto reason = chip::check_precision(design.device, plan.precision)) {
    return *std::move(reason);
  }
  const auto foreground = cache.kernels(design.for_kernels());
  const auto background = cache.kernels(design.for_background());
  return kernel::costs_of(plan.graph,
                          plan.precision,
                          design.training.optimizer,
                          {*foreground, *background, design.launch.scale});
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
  const auto network = cache.network(design);
  const auto placement = plan::place(**plan, design.strategy, network->realizer());
  if (!placement) {
    return placement.reason();
  }
  auto machine = lower::make_machine(network->realizer(),
                                     design.for_kernels(),
                                     (*plan)->mesh,
                                     *placement,
                                     lower::collectives_of(**plan),
                                     design.machine_options());
  if (!machine) {
    return machine.reason();
  }
  auto schedule = cache.schedule(*plan, *costs, *machine, design);
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
  if (auto reason = sim::check_end(timeline)) {
    return *std::move(reason);
  }
  explain::StepResult result = explain::explain_step(
      step, timeline, {design.device, design.platform, design.machine.endpoint}, detail);
  if (result.overflow() > Bytes(0.0) && design.memory.capacity == memory::Capacity::kLimit) {
    return memory::over_capacity(result.peak_memory, result.peak_at, result.capacity);
  }
  return result;
}

}  // namespace cairn
