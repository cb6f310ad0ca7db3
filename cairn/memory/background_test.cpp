// Background kernels: their dependencies and their memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/memory/schedule.hpp"
#include "cairn/memory/test_support/dlrm.hpp"

namespace cairn::memory {
namespace {

using model::Tables;

plan::Plan plan_of(Tables tables) {
  return dlrm_plan({.tables = tables});
}

Schedule schedule_of(const plan::Plan& plan, const Policy& policy, std::uint32_t steps) {
  const std::vector<kernel::Cost> costs(plan.graph.operators.size(), {.time = Seconds(1e-3)});
  return schedule(plan,
                  costs,
                  policy,
                  {.store = Bytes::infinity(), .store_bandwidth = BytesPerSecond(1e9)},
                  {.sequence = {.steps = steps}})
      .value();
}

// Within a step, background actions and all others do not wait for each other.
TEST(BackgroundOfAStep, HasNoDependenciesOnForegroundKernels) {
  const plan::Plan plan = plan_of(Tables::kBackground);
  const Schedule one = schedule_of(plan, {}, 1);
  const auto in_background = [&](const Action& action) {
    return action.kind == ActionKind::kBackground ||
           (action.kind == ActionKind::kExchange && plan.exchanges[action.subject].background);
  };

  int background = 0;
  for (const Action& action : one.actions) {
    background += in_background(action) ? 1 : 0;
    for (const Id<Action> before : action.after) {
      EXPECT_EQ(in_background(one.actions[before.index()]), in_background(action));
    }
  }
  EXPECT_EQ(background, 3);  // the lookup, its exchange, the update
}

// With n steps: the input of the first is live from the beginning, the output of the last to the
// end, and all others are written in one step and read in the next.
TEST(BackgroundOfAStep, KeepsItsOutputForTheNextStep) {
  for (const Offload offload : {Offload::kNone, Offload::kEverything}) {
    const plan::Plan plan = plan_of(Tables::kBackground);
    for (const std::uint32_t steps : {1U, 2U, 5U}) {
      const Schedule result = schedule_of(plan, {.offload = offload}, steps);
      for (const plan::CrossStepTensor& each : plan.cross_step) {
        std::uint32_t from_outside = 0;
        std::uint32_t made = 0;
        std::uint32_t kept = 0;
        for (const LiveRange& range : result.live_ranges) {
          if (range.storage == each.made || range.storage == each.read) {
            const bool fetched =
                range.from && result.actions[range.from->index()].kind == ActionKind::kPrefetch;
            from_outside += range.from ? 0U : 1U;
            made += range.from && !fetched ? 1U : 0U;
            kept += range.until.empty() ? 1U : 0U;
          }
        }
        EXPECT_EQ(from_outside, 1U);
        EXPECT_EQ(made, steps);
        EXPECT_EQ(kept, 1U);
      }
    }
  }
}

// Each tensor that one step writes for the next is double-buffered.
TEST(BackgroundOfAStep, DoubleBuffersCrossStepTensors) {
  const plan::Plan plan = plan_of(Tables::kBackground);
  const Bytes in_turn = schedule_of(plan_of(Tables::kSequential), {}, 1).fullest().peak;
  Bytes second(0.0);
  for (const plan::CrossStepTensor& each : plan.cross_step) {
    second += model::bytes_of(plan.graph.tensor(each.read), Bytes(2.0));
  }
  const Bytes background = schedule_of(plan, {}, 1).fullest().peak;
  EXPECT_GT(background, in_turn);
  // Plus at most the looked-up rows before and after their exchange, which are never live together
  // without background.
  EXPECT_LE(background, in_turn + second * 2.0);
}

}  // namespace
}  // namespace cairn::memory
