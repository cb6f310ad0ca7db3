// Tables in the backing store: transfers of rows, their dependencies, and their memory.
#include "cairn/memory/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/memory/schedule.hpp"
#include "cairn/memory/test_support/dlrm.hpp"

namespace cairn::memory {
namespace {

using model::Tables;
using Dlrm = SmallDlrm;

constexpr Bytes kElement(2.0);

plan::Plan plan_of(Tables tables) {
  return dlrm_plan({.tables = tables});
}

Feasible<Schedule> schedule_of(const plan::Plan& plan,
                               TablesIn tables,
                               std::uint32_t steps = 1,
                               Bytes store = Bytes::infinity()) {
  const std::vector<kernel::Cost> costs(plan.graph.operators.size(), {.time = Seconds(1e-3)});
  return schedule(plan,
                  costs,
                  {.tables = tables},
                  {.store = store, .store_bandwidth = BytesPerSecond(1e9)},
                  {.sequence = {.steps = steps}});
}

// A device has 1/n of the tables, and looks up the samples of all devices in them.
constexpr double kElements =
    Dlrm::kBatch * Dlrm::kTables / Dlrm::kDevices * Dlrm::kPooled * Dlrm::kDim;
constexpr Bytes kLookedUp = kElement * kElements;
constexpr Bytes kTable = kElement * (Dlrm::kTables / Dlrm::kDevices * Dlrm::kRows * Dlrm::kDim);

TEST(TablesInTheStore, FetchAndWriteBackTheRowsOfEachStep) {
  for (const Tables how : {Tables::kSequential, Tables::kBackground}) {
    for (const std::uint32_t steps : {1U, 3U}) {
      const Schedule result = schedule_of(plan_of(how), TablesIn::kStore, steps).value();

      for (const ActionKind kind : {ActionKind::kPrefetch, ActionKind::kOffload}) {
        std::uint32_t transfers = 0;
        for (const Action& action : result.actions) {
          if (action.kind == kind) {
            ++transfers;
            EXPECT_EQ(action.bytes, kLookedUp);
          }
        }
        EXPECT_EQ(transfers, steps);
      }
      EXPECT_EQ(result.stages[0].moved, kLookedUp);
      EXPECT_EQ(result.stages[0].tables, kTable);
    }
  }
}

// Adam's moments are in fp32, whatever the precision of the rows.
TEST(TablesInTheStore, TransferOptimizerStatesInTheirOwnPrecision) {
  const plan::Plan plan = dlrm_plan({.optimizer = model::Optimizer::kAdam});
  const Schedule result = schedule_of(plan, TablesIn::kStore).value();

  EXPECT_EQ(result.stages[0].moved, kLookedUp + Bytes(4.0) * (2.0 * kElements));
}

TEST(TablesInTheStore, OccupyOnlyTheirRowsOnTheDevice) {
  const plan::Plan plan = plan_of(Tables::kSequential);

  const Schedule on_device = schedule_of(plan, TablesIn::kDevice).value();
  const Schedule in_store = schedule_of(plan, TablesIn::kStore).value();

  EXPECT_EQ(on_device.stages[0].weights - in_store.stages[0].weights, kTable);
  EXPECT_LE(in_store.fullest().peak, on_device.fullest().peak - kTable + kLookedUp);
  EXPECT_EQ(on_device.stages[0].tables, Bytes(0.0));
}

// The lookup waits for its rows, and these for the write-back of the previous step.
TEST(TablesInTheStore, FetchRowsAfterThePreviousWriteBack) {
  const plan::Plan plan = plan_of(Tables::kSequential);
  const Schedule result = schedule_of(plan, TablesIn::kStore, 2).value();
  std::vector<std::size_t> out;
  std::vector<std::size_t> in;
  for (std::size_t a = 0; a < result.actions.size(); ++a) {
    if (result.actions[a].kind == ActionKind::kOffload) {
      out.push_back(a);
    } else if (result.actions[a].kind == ActionKind::kPrefetch) {
      in.push_back(a);
    }
  }
  ASSERT_EQ(out.size(), 2U);
  ASSERT_EQ(in.size(), 2U);
  const auto waits_for = [&](const Action& action, std::size_t other) {
    return std::ranges::find(action.after, Id<Action>(other)) != action.after.end();
  };
  EXPECT_TRUE(result.actions[in[0]].after.empty());
  EXPECT_TRUE(waits_for(result.actions[in[1]], out[0]));
  for (const Action& action : result.actions) {
    const bool looks_up = action.kind == ActionKind::kKernel &&
                          plan.graph.operators[action.subject].lookups &&
                          plan.graph.operators[action.subject].pass == model::Pass::kForward;
    EXPECT_TRUE(!looks_up || waits_for(action, in[0]) || waits_for(action, in[1]));
  }
}

TEST(TablesInTheStore, MustFitTheStore) {
  const plan::Plan plan = plan_of(Tables::kSequential);

  EXPECT_TRUE(schedule_of(plan, TablesIn::kStore, 1, kTable).feasible());
  EXPECT_FALSE(schedule_of(plan, TablesIn::kStore, 1, kTable - Bytes(1.0)).feasible());
}

}  // namespace
}  // namespace cairn::memory
