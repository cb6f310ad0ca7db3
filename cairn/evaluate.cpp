#include "cairn/evaluate.hpp"

#include <optional>
#include <utility>

#include "cairn/kernel/costs.hpp"
#include "cairn/lower/step_collectives.hpp"
#include "cairn/memory/repeated_passes.hpp"
#include "cairn/model/networks/gpt_size.hpp"
#include "cairn/plan/place.hpp"
#include "cairn/sim/simulate.hpp"
#include "cairn/steady_step.hpp"

namespace cairn {

Feasible<explain::StepResult> evaluate(const Design& design, Detail detail) {
  EvaluationCache cache;
  return evaluate(design, cache, detail);
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

// With micro-batches as a loop.
Feasible<StepOrNotRepeated> lower_loop(const Design& design, EvaluationCache& cache) {
  if (design.strategy.micro_batches <= plan::kDistinctMicroBatches) {
    return StepOrNotRepeated(plan::NotRepeated{"too few"});
  }
  if (auto why = memory::check_repeats(design.memory, design.launch)) {
    return StepOrNotRepeated(*std::move(why));
  }
  return lower_micro_batches(design, cache, plan::MicroBatches::kRepeated);
}

// With each micro-batch by itself.
Feasible<lower::LoweredStep> lower_whole(const Design& design,
                                         EvaluationCache& cache,
                                         plan::NotRepeated why) {
  auto step = lower_micro_batches(design, cache, plan::MicroBatches::kAll);
  if (!step) {
    return step.reason();
  }
  lower::LoweredStep whole = std::move(step).value().value();
  whole.not_repeated = std::move(why);
  return whole;
}

sim::Timeline simulate(const lower::LoweredStep& step, const Design& design) {
  return sim::simulate(step.program.program,
                       sim::Record::kTotals,
                       design.unroll ? sim::Periods::kSimulated : sim::Periods::kSkipped);
}

// Infeasible if the result needs more memory than a device has.
Feasible<explain::StepResult> check_memory(explain::StepResult result, const Design& design) {
  if (result.overflow() > Bytes(0.0) && design.memory.capacity == memory::Capacity::kLimit) {
    return memory::over_capacity(result.peak_memory, result.peak_at, result.capacity);
  }
  return result;
}

// The design with the placement of its shards, which depends on how often they exchange.
Feasible<Design> with_placement(const Design& design, EvaluationCache& cache) {
  const auto plan = cache.plan(design, plan::MicroBatches::kRepeated);
  if (!plan) {
    return plan.reason();
  }
  auto placement = plan::place(**plan, design.strategy, cache.network(design)->realizer());
  if (!placement) {
    return placement.reason();
  }
  Design placed = design;
  placed.strategy.order.clear();
  placed.strategy.placement = std::move(placement).value();
  return placed;
}

// Absent: see steady_step().
std::optional<explain::StepResult> steady(const Design& design,
                                          EvaluationCache& cache,
                                          Detail detail) {
  const auto placed = with_placement(design, cache);
  if (!placed) {
    return std::nullopt;
  }
  return steady_step(*placed, detail, [&](const Design& few) -> Feasible<lower::SimulatedStep> {
    auto step = lower_whole(few, cache, {"two steps with few micro-batches are compared"});
    if (!step) {
      return step.reason();
    }
    sim::Timeline timeline = simulate(*step, few);
    return lower::SimulatedStep{std::move(step).value(), std::move(timeline)};
  });
}

}  // namespace

namespace {

Feasible<explain::StepResult> evaluate_step(const Design& design,
                                            EvaluationCache& cache,
                                            Detail detail) {
  if (design.unroll || detail == Detail::kRecord) {
    const auto step = lower_whole(design, cache, {"each was asked for"});
    return step ? simulate_step(*step, design, detail) : step.reason();
  }
  const auto loop = lower_loop(design, cache);
  if (!loop) {
    return loop.reason();
  }
  if (loop->repeats()) {
    return simulate_step(loop->value(), design, detail);
  }
  if (auto result = steady(design, cache, detail)) {
    return check_memory(*std::move(result), design);
  }
  const auto step = lower_whole(design, cache, loop->reason());
  return step ? simulate_step(*step, design, detail) : step.reason();
}

std::optional<explain::TokenRates> tokens_of(const Design& design,
                                             Seconds step_time,
                                             double batch) {
  if (!model::is_language_model(design.model)) {
    return std::nullopt;
  }
  const model::Gpt gpt = model::language_model(design.model);
  const model::ModelSize size = model::size_of(gpt);
  constexpr double kFlopsPerMac = 2.0;
  return explain::token_rates(
      {.tokens_per_sample = 1.0 * gpt.seq,
       .flops_per_token = size.flops_per_token(),
       .flops_per_token_not_causal = size.flops_per_token_not_causal()},
      batch,
      step_time.si(),
      design.devices(),
      kFlopsPerMac * design.device.macs_per_second(design.strategy.precision));
}

}  // namespace

Feasible<explain::StepResult> evaluate(const Design& design,
                                       EvaluationCache& cache,
                                       Detail detail) {
  auto step = evaluate_step(design, cache, detail);
  if (!step || detail == Detail::kTrial) {
    return step;
  }
  explain::StepResult result = std::move(step).value();
  result.tokens = tokens_of(design, result.step_time, result.batch);
  return result;
}

Feasible<lower::LoweredStep> lower_step(const Design& design, EvaluationCache& cache) {
  auto loop = lower_loop(design, cache);
  if (!loop) {
    return loop.reason();
  }
  return loop->repeats() ? std::move(loop).value().value()
                         : lower_whole(design, cache, loop->reason());
}

Feasible<explain::StepResult> simulate_step(const lower::LoweredStep& step,
                                            const Design& design,
                                            Detail detail) {
  sim::Timeline timeline = simulate(step, design);
  if (auto reason = sim::check_end(timeline)) {
    return *std::move(reason);
  }
  lower::add_passes(step, timeline);
  return check_memory(
      explain::explain_step(
          step, timeline, {design.device, design.platform, design.machine.endpoint}, detail),
      design);
}

}  // namespace cairn
