#include "cairn/explain/exposure.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace cairn::explain {
namespace {

using memory::Action;
using memory::ActionKind;

constexpr SimTime at(double seconds) {
  return after(SimTime{}, Seconds(seconds));
}

// An action and its interval; kernels take a second alone.
struct Ran {
  Action action{};
  Interval interval{};
};

Breakdown breakdown_of(const std::vector<Ran>& all, double end, comm::Executor executor) {
  memory::Schedule schedule;
  std::vector<Interval> intervals;
  for (const Ran& ran : all) {
    schedule.actions.push_back(ran.action);
    intervals.push_back(ran.interval);
  }
  lower::LoweredStep step;
  step.schedule = std::make_shared<const memory::Schedule>(std::move(schedule));
  step.costs = {{.time = Seconds(1.0)}};
  comm::Endpoint endpoint;
  endpoint.executor = executor;
  return exposure(step, intervals, 0, endpoint, at(end));
}

Breakdown breakdown_of(const std::vector<Ran>& all, double end) {
  return breakdown_of(all, end, comm::Executor::kIdeal);
}

Id<Action> id(std::uint32_t index) {
  return Id<Action>{index};
}

TEST(Exposure, CountsACollectiveFromTheEndOfThePreviousKernel) {
  const Breakdown b =
      breakdown_of({{{.kind = ActionKind::kKernel}, {at(0.0), at(1.0)}},
                    {{.kind = ActionKind::kExchange, .after = {id(0)}}, {at(1.0), at(3.5)}},
                    {{.kind = ActionKind::kKernel, .after = {id(1)}}, {at(3.5), at(4.5)}}},
                   4.5);

  EXPECT_DOUBLE_EQ(b.compute.si(), 2.0);
  EXPECT_DOUBLE_EQ(b.communication_exposed.si(), 2.5);
  EXPECT_DOUBLE_EQ(b.memory_exposed.si(), 0.0);
  EXPECT_DOUBLE_EQ(b.idle.si(), 0.0);
}

TEST(Exposure, OverlappedCollectivesAreNotExposed) {
  const Breakdown b =
      breakdown_of({{{.kind = ActionKind::kKernel}, {at(0.0), at(1.0)}},
                    {{.kind = ActionKind::kExchange, .after = {id(0)}}, {at(1.0), at(2.0)}},
                    {{.kind = ActionKind::kKernel, .after = {id(0)}}, {at(1.0), at(2.0)}}},
                   2.0);

  EXPECT_DOUBLE_EQ(b.compute.si(), 2.0);
  EXPECT_DOUBLE_EQ(b.communication_exposed.si(), 0.0);
}

TEST(Exposure, CountsATransferFromWhenItWasQueued) {
  const Breakdown b =
      breakdown_of({{{.kind = ActionKind::kPrefetch}, {at(0.5), at(2.0)}},
                    {{.kind = ActionKind::kKernel, .after = {id(0)}}, {at(2.0), at(3.0)}}},
                   3.0);

  EXPECT_DOUBLE_EQ(b.compute.si(), 1.0);
  EXPECT_DOUBLE_EQ(b.memory_exposed.si(), 2.0);  // it was queued for the first half second
  EXPECT_DOUBLE_EQ(b.idle.si(), 0.0);
}

TEST(Exposure, GapsWithoutADependencyAreIdle) {
  const Breakdown b = breakdown_of({{{.kind = ActionKind::kKernel}, {at(0.5), at(1.5)}}}, 1.5);

  EXPECT_DOUBLE_EQ(b.idle.si(), 0.5);
}

// A kernel that takes 3 s instead of 1 s lost 2 s to contention on the device.
TEST(Exposure, CountsTheSlowdownOfAKernel) {
  const std::vector<Ran> slowed{{{.kind = ActionKind::kKernel}, {at(0.0), at(3.0)}}};

  EXPECT_DOUBLE_EQ(breakdown_of(slowed, 3.0, comm::Executor::kIdeal).memory_exposed.si(), 2.0);
  EXPECT_DOUBLE_EQ(breakdown_of(slowed, 3.0, comm::Executor::kCores).communication_exposed.si(),
                   2.0);
}

TEST(Exposure, TimeAfterTheLastKernelCountsAsTheLastAction) {
  const Breakdown b =
      breakdown_of({{{.kind = ActionKind::kKernel}, {at(0.0), at(1.0)}},
                    {{.kind = ActionKind::kExchange, .after = {id(0)}}, {at(1.0), at(4.0)}}},
                   4.0);

  EXPECT_DOUBLE_EQ(b.communication_exposed.si(), 3.0);
}

}  // namespace
}  // namespace cairn::explain
