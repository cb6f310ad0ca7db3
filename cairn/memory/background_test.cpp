// Kernels beside the others: what waits for them, and what of memory they take.
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

// Within a step, kernels and exchanges of either side wait for their own only.
TEST(BackgroundOfAStep, IsWaitedForByNoKernel) {
  const plan::Plan plan = plan_of(Tables::kBackground);
  const Schedule one = schedule_of(plan, {}, 1);
  const auto in_background = [&](const Action& action) {
    return action.kind == ActionKind::kBackground ||
           (action.kind == ActionKind::kExchange && plan.exchanges[action.subject].background);
  };

  int there = 0;
  for (const Action& action : one.actions) {
    there += in_background(action) ? 1 : 0;
    for (const Id<Action> before : action.after) {
      EXPECT_EQ(in_background(one.actions[before.index()]), in_background(action));
    }
  }
  EXPECT_EQ(there, 3);  // the look-up, its exchange, the update
}

// Of n steps: what the first reads is there from the beginning, what the last makes stays to the
// end, and each but these is made in one step and read in the next.
TEST(BackgroundOfAStep, KeepsWhatItMadeForTheNext) {
  for (const Overlay overlay : {Overlay::kNone, Overlay::kEverything}) {
    const plan::Plan plan = plan_of(Tables::kBackground);
    for (const std::uint32_t steps : {1U, 2U, 5U}) {
      const Schedule result = schedule_of(plan, {.overlay = overlay}, steps);
      for (const plan::Carried& each : plan.carried) {
        std::uint32_t from_outside = 0;
        std::uint32_t made = 0;
        std::uint32_t kept = 0;
        for (const Life& life : result.lives) {
          if (life.storage == each.made || life.storage == each.read) {
            const bool fetched =
                life.from && result.actions[life.from->index()].kind == ActionKind::kPrefetch;
            from_outside += life.from ? 0U : 1U;
            made += life.from && !fetched ? 1U : 0U;
            kept += life.until.empty() ? 1U : 0U;
          }
        }
        EXPECT_EQ(from_outside, 1U);
        EXPECT_EQ(made, steps);
        EXPECT_EQ(kept, 1U);
      }
    }
  }
}

// Each of what goes over from step to step has a second place.
TEST(BackgroundOfAStep, TakesASecondPlaceForWhatIsCarriedOver) {
  const plan::Plan plan = plan_of(Tables::kBackground);
  const Bytes in_turn = schedule_of(plan_of(Tables::kInTurn), {}, 1).fullest().peak;
  Bytes second(0.0);
  for (const plan::Carried& each : plan.carried) {
    second += model::bytes_of(plan.graph.tensor(each.read), Bytes(2.0));
  }
  const Bytes background = schedule_of(plan, {}, 1).fullest().peak;
  EXPECT_GT(background, in_turn);
  // At most, besides, what in turn is never there together: what is looked up, before and after its
  // exchange.
  EXPECT_LE(background, in_turn + second * 2.0);
}

}  // namespace
}  // namespace cairn::memory
