#include "cairn/steady_step.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/explain/more_periods.hpp"
#include "cairn/memory/schedule.hpp"

namespace cairn {

namespace {

using lower::LoweredStep;
using lower::SimulatedStep;

Design with_micro_batches(const Design& design, std::uint32_t micro_batches) {
  Design fewer = design;
  fewer.strategy.batch = design.strategy.batch / design.strategy.micro_batches * micro_batches;
  fewer.strategy.micro_batches = micro_batches;
  return fewer;
}

// By stage: of its kernels alone.
std::vector<Seconds> compute_by_stage(const LoweredStep& step) {
  std::vector<Seconds> compute(step.plan->mesh.stages(), Seconds(0.0));
  for (const memory::Action& action : step.schedule->actions) {
    if (action.computes()) {
      compute[action.stage] += step.costs[action.subject].time;
    }
  }
  return compute;
}

std::uint32_t count_exchanges(const LoweredStep& step) {
  return static_cast<std::uint32_t>(std::ranges::count(
      step.schedule->actions, memory::ActionKind::kExchange, &memory::Action::kind));
}

// Whether what holds for two numbers of micro-batches also does after further periods: the stages
// with the most compute and memory, room in the backing store, and exchanges that can be ordered.
bool holds_after(const LoweredStep& fewer,
                 const LoweredStep& more,
                 double periods,
                 std::uint32_t busiest) {
  const auto later = [&](auto before, auto now) { return now + (now - before) * periods; };
  const std::vector<Seconds> before = compute_by_stage(fewer);
  const std::vector<Seconds> now = compute_by_stage(more);
  const Seconds most = later(before[busiest], now[busiest]);
  const std::vector<memory::StageMemory>& few = fewer.schedule->stages;
  const auto fullest =
      static_cast<std::size_t>(&more.schedule->fullest() - more.schedule->stages.data());
  const Bytes peak = later(few[fullest].peak, more.schedule->stages[fullest].peak);
  for (std::size_t stage = 0; stage < now.size(); ++stage) {
    const memory::StageMemory& stored = more.schedule->stages[stage];
    const Bytes offloaded = later(few[stage].offloaded, stored.offloaded);
    if (later(before[stage], now[stage]) > most * (1.0 + 1e-9) ||
        later(few[stage].peak, stored.peak) > peak ||
        offloaded + stored.tables > more.machine.store_capacity) {
      return false;
    }
  }
  const double exchanges = later(1.0 * count_exchanges(fewer), 1.0 * count_exchanges(more));
  return !lower::check_exchanges(more.schedule->launch, exchanges);
}

// How many micro-batches repeat what as many before them do.
std::uint32_t micro_batches_of_period(const plan::Strategy& strategy) {
  // Interleaved stages process groups of as many micro-batches as there are stages. Otherwise
  // periods of two micro-batches have been seen where one was not enough.
  return strategy.virtual_stages > 1 ? strategy.stages : 2;
}

}  // namespace

std::optional<explain::StepResult> steady_step(const Design& design,
                                               explain::Detail detail,
                                               const SimulateWhole& simulate) {
  if (design.launch.sequence.steps > 1) {
    return std::nullopt;
  }
  const std::uint32_t all = design.strategy.micro_batches;
  const std::uint32_t period = micro_batches_of_period(design.strategy);
  // Enough to fill the pipeline, for a steady state, and to drain it.
  const std::uint32_t least = 3 * design.strategy.stages + 2 * period;
  std::uint32_t few = all < least ? all : least + (all - least) % period;
  SimTime missed = SimTime::never();
  for (std::uint32_t spent = 0; spent + 2 * few + period < all; spent += 2 * few + period) {
    const auto fewer = simulate(with_micro_batches(design, few));
    const auto more = simulate(with_micro_batches(design, few + period));
    if (!fewer || !more) {
      return std::nullopt;
    }
    const lower::Growth growth = lower::compare(*fewer, *more);
    if (growth.period <= SimTime{} || growth.missing >= missed) {
      return std::nullopt;  // more micro-batches bring it no nearer
    }
    missed = growth.missing;
    if (growth.missing > SimTime{}) {
      const std::int64_t periods =
          1 + (growth.missing.picoseconds() - 1) / growth.period.picoseconds();
      few += period * static_cast<std::uint32_t>(std::min<std::int64_t>(periods, all));
      continue;
    }
    const explain::System system{design.device, design.platform, design.machine.endpoint};
    const auto of_fewer = explain::explain_step(fewer->step, fewer->timeline, system, detail);
    const auto of_more = explain::explain_step(more->step, more->timeline, system, detail);
    const double periods = (all - few - period) / period;
    if (!holds_after(fewer->step, more->step, periods, of_more.breakdown_stage)) {
      return std::nullopt;
    }
    auto result = explain::after_periods(of_fewer, of_more, periods);
    if (result) {
      result->micro_batches = {.of = all, .simulated = few + period};
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace cairn
