#include "cairn/evaluate.hpp"

#include <optional>
#include <utility>

#include "cairn/kernel/costs.hpp"
#include "cairn/lower/step_collectives.hpp"
#include "cairn/memory/repeated_passes.hpp"
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
  const bool unroll = design.unroll || detail == Detail::kRecord;
  const auto step =
      lower_step(design, cache, unroll ? plan::MicroBatches::kAll : plan::MicroBatches::kRepeated);
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

namespace {

std::optional<plan::NotRepeated> check_repeats(const Design& design,
                                               plan::MicroBatches micro_batches) {
  if (micro_batches == plan::MicroBatches::kAll) {
    return plan::NotRepeated{"each was asked for"};
  }
  if (design.strategy.micro_batches <= plan::kDistinctMicroBatches) {
    return plan::NotRepeated{"too few"};
  }
  return memory::check_repeats(design.memory, design.launch);
}

using StepOrNotRepeated = plan::OrNotRepeated<lower::LoweredStep>;

Feasible<StepOrNotRepeated> lower_micro_batches(const Design& design,
                                                EvaluationCache& cache,
                                                plan::MicroBatches micro_batches) {
  const auto plan = cache.plan(design, micro_batches);
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
  auto made = lower::make_machine(network->realizer(),
                                  design.for_kernels(),
                                  (*plan)->mesh,
                                  *placement,
                                  lower::collectives_of(**plan),
                                  design.machine_options());
  if (!made) {
    return made.reason();
  }
  lower::Machine machine = std::move(made).value();
  machine.of_link = network->resource_of_link(machine.of_link);
  const auto schedule = cache.schedule(*plan, *costs, machine, design);
  if (!schedule) {
    return schedule.reason();
  }
  if (!schedule->repeats()) {
    return StepOrNotRepeated(schedule->reason());
  }
  auto passes = lower::time_passes(**plan, *schedule->value(), *costs, machine);
  if (!passes.repeats()) {
    return StepOrNotRepeated(passes.reason());
  }
  auto step = lower::lower_step(*plan,
                                std::move(costs).value(),
                                std::move(machine),
                                schedule->value(),
                                std::move(passes).value(),
                                design.machine.endpoint);
  if (!step) {
    return step.reason();
  }
  return StepOrNotRepeated(std::move(step).value());
}

}  // namespace

Feasible<lower::LoweredStep> lower_step(const Design& design,
                                        EvaluationCache& cache,
                                        plan::MicroBatches micro_batches) {
  using plan::MicroBatches;
  auto why_not = check_repeats(design, micro_batches);
  auto step =
      lower_micro_batches(design, cache, why_not ? MicroBatches::kAll : MicroBatches::kRepeated);
  if (step && !step->repeats()) {
    why_not = step->reason();
    step = lower_micro_batches(design, cache, MicroBatches::kAll);
  }
  if (!step) {
    return step.reason();
  }
  lower::LoweredStep lowered = std::move(step).value().value();
  lowered.not_repeated = std::move(why_not);
  return lowered;
}

Feasible<explain::StepResult> simulate_step(const lower::LoweredStep& step,
                                            const Design& design,
                                            Detail detail) {
  sim::Timeline timeline =
      sim::simulate(step.program.program,
                    sim::Record::kTotals,
                    design.unroll ? sim::Periods::kSimulated : sim::Periods::kSkipped);
  if (auto reason = sim::check_end(timeline)) {
    return *std::move(reason);
  }
  lower::add_passes(step, timeline);
  explain::StepResult result = explain::explain_step(
      step, timeline, {design.device, design.platform, design.machine.endpoint}, detail);
  if (result.overflow() > Bytes(0.0) && design.memory.capacity == memory::Capacity::kLimit) {
    return memory::over_capacity(result.peak_memory, result.peak_at, result.capacity);
  }
  return result;
}

}  // namespace cairn
