// Holding, through the engine's interface.
#include "cairn/sim/holding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"
#include "cairn/sim/engine.hpp"
#include "cairn/sim/test_support/engine_world.hpp"

namespace cairn::sim {
namespace {

using test::activity;
using test::holding;
using test::link;
using test::ns;
using test::pool;
using test::run;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HoldingTest : public ::testing::Test {
 protected:
  Engine engine;
  Id<Issuer> issuer = engine.add(Issuer{"kernel"});

  // Work of one unit takes one nanosecond.
  void submit(Id<Demand> demand, double nanoseconds, std::uint64_t tag, std::int32_t priority = 0) {
    Activity a = activity(demand, issuer, nanoseconds, tag);
    a.priority = priority;
    engine.submit(a);
  }

  // Tags in the order of their completion.
  std::vector<std::uint64_t> order() {
    std::vector<std::uint64_t> tags;
    for (auto done = engine.advance(); !done.empty(); done = engine.advance()) {
      for (const Completion& c : done) {
        tags.push_back(c.tag);
      }
    }
    return tags;
  }

  // One runs until 100; 2 asks at 10, 3 at 20 with a higher priority, 4 at 30.
  std::vector<std::uint64_t> order_of_three_waiting_for_a_slot(GrantOrder grant_order) {
    const Id<Demand> one_slot = engine.add(holding({{engine.add(pool("slot", 1.0, grant_order))}}));
    submit(one_slot, 100.0, 1);
    engine.advance(ns(10));
    submit(one_slot, 100.0, 2, 0);
    engine.advance(ns(20));
    submit(one_slot, 100.0, 3, 5);
    engine.advance(ns(30));
    submit(one_slot, 100.0, 4, 0);
    return order();
  }
};

TEST_F(HoldingTest, FirstInIsServedFirst) {
  EXPECT_THAT(order_of_three_waiting_for_a_slot(GrantOrder::kFirstIn), ElementsAre(1, 2, 3, 4));
}

TEST_F(HoldingTest, LastInIsServedFirstWhenTheResourceSaysSo) {
  EXPECT_THAT(order_of_three_waiting_for_a_slot(GrantOrder::kLastIn), ElementsAre(1, 4, 3, 2));
}

TEST_F(HoldingTest, TheHighestPriorityIsServedFirstThenFirstIn) {
  EXPECT_THAT(order_of_three_waiting_for_a_slot(GrantOrder::kPriority), ElementsAre(1, 3, 2, 4));
}

TEST_F(HoldingTest, TiesGoByClassThenRankThenArrival) {
  for (const GrantOrder grant_order :
       {GrantOrder::kFirstIn, GrantOrder::kLastIn, GrantOrder::kPriority}) {
    const Id<Demand> one_slot = engine.add(holding({{engine.add(pool("slot", 1.0, grant_order))}}));
    const auto submit_as =
        [&](std::uint32_t activity_class, std::uint32_t rank, std::uint64_t tag) {
          Activity a = activity(one_slot, issuer, 100.0, tag);
          a.activity_class = activity_class;
          a.rank = rank;
          engine.submit(a);
        };

    submit_as(1, 0, 4);
    submit_as(0, 7, 2);
    submit_as(0, 7, 3);
    submit_as(0, 2, 1);
    submit_as(1, 9, 5);

    EXPECT_THAT(order(), ElementsAre(1, 2, 3, 4, 5));
  }
}

TEST_F(HoldingTest, AReleasedAmountIsGrantedAtTheSameInstant) {
  const Id<Demand> one_slot = engine.add(holding({{engine.add(pool("slot", 1.0))}}));

  submit(one_slot, 100.0, 1);
  submit(one_slot, 50.0, 2);
  const auto done = run(engine);

  EXPECT_EQ(done.at(2).submitted, ns(0));
  EXPECT_EQ(done.at(2).admitted, ns(100));
  EXPECT_EQ(done.at(2).finished, ns(150));
}

TEST_F(HoldingTest, AnEarlierRequestPrecedesOneMadeAtTheInstantOfRelease) {
  const Id<Demand> one_slot = engine.add(holding({{engine.add(pool("slot", 1.0))}}));
  submit(one_slot, 100.0, 1);
  submit(one_slot, 100.0, 2);

  ASSERT_EQ(engine.advance().front().tag, 1U);
  submit(one_slot, 100.0, 3);

  EXPECT_THAT(order(), ElementsAre(2, 3));
}

TEST_F(HoldingTest, NoRequestOvertakesEvenIfItWouldFit) {
  const Id<Resource> sram = engine.add(pool("sram", 2.0));
  const Id<Demand> one = engine.add(holding({{sram, 1.0}}));
  const Id<Demand> two = engine.add(holding({{sram, 2.0}}));

  submit(one, 100.0, 1);
  engine.advance(ns(10));
  submit(two, 100.0, 2);
  engine.advance(ns(20));
  submit(one, 100.0, 3);
  const auto done = run(engine);

  EXPECT_EQ(done.at(2).admitted, ns(100));
  EXPECT_EQ(done.at(3).admitted, ns(200));
}

TEST_F(HoldingTest, AsManyAsFitRunAtOnce) {
  const Id<Resource> sram = engine.add(pool("sram", 1.0));
  const Id<Demand> tenth = engine.add(holding({{sram, 0.1}}));

  for (std::uint64_t i = 0; i < 11; ++i) {
    submit(tenth, 100.0, i);
  }
  const auto done = run(engine);

  // Ten tenths are one although 0.1 is not a binary fraction; the eleventh waits.
  EXPECT_EQ(done.at(9).admitted, ns(0));
  EXPECT_EQ(done.at(10).admitted, ns(100));
  EXPECT_NEAR(engine.peak_held(sram), 1.0, 1e-12);
}

TEST_F(HoldingTest, AllHoldsAreGrantedAtOnceOrNone) {
  // 2 waits for `left`; it does not take `right` meanwhile, so 3, first in line there because last
  // in, gets it.
  const Id<Resource> left = engine.add(pool("left", 1.0));
  const Id<Resource> right = engine.add(pool("right", 1.0, GrantOrder::kLastIn));
  submit(engine.add(holding({{left}})), 100.0, 1);
  engine.advance(ns(10));
  submit(engine.add(holding({{left}, {right}})), 100.0, 2);
  engine.advance(ns(20));
  submit(engine.add(holding({{right}})), 30.0, 3);

  const auto done = run(engine);

  EXPECT_EQ(done.at(3).admitted, ns(20));
  EXPECT_EQ(done.at(2).admitted, ns(100));
}

TEST_F(HoldingTest, ARequestForTwoResourcesKeepsItsPlaceInBothQueues) {
  const Id<Resource> left = engine.add(pool("left", 1.0));
  const Id<Resource> right = engine.add(pool("right", 1.0));
  submit(engine.add(holding({{left}})), 100.0, 1);
  engine.advance(ns(10));
  submit(engine.add(holding({{left}, {right}})), 100.0, 2);
  engine.advance(ns(20));
  submit(engine.add(holding({{right}})), 30.0, 3);

  const auto done = run(engine);

  EXPECT_EQ(done.at(2).admitted, ns(100));
  EXPECT_EQ(done.at(3).admitted, ns(200)) << "first in, first out, also while `right` is free";
}

TEST_F(HoldingTest, HoldersOfASlotDrawOneAfterTheOther) {
  const Id<Resource> wire = engine.add(link("wire"));
  const Id<Resource> slot = engine.add(pool("slot", 1.0));
  const Id<Demand> kernel = engine.add(
      Demand{{{wire}}, {{slot}}, Seconds(500e-9), std::numeric_limits<double>::infinity()});

  submit(kernel, 1000.0, 1);
  submit(kernel, 1000.0, 2);
  const auto done = run(engine);

  // The latency counts from admission.
  EXPECT_EQ(done.at(1).finished, ns(1500));
  EXPECT_EQ(done.at(2).admitted, ns(1500));
  EXPECT_EQ(done.at(2).finished, ns(3000));
}

TEST_F(HoldingTest, ThePeakIsTheMaximumHeldAtOnce) {
  const Id<Resource> sram = engine.add(pool("sram", 10.0));
  const Id<Demand> three = engine.add(holding({{sram, 3.0}}));
  const Id<Demand> two_members_of_two = engine.add(holding({{sram, 2.0, 2.0}}));

  EXPECT_EQ(engine.peak_held(sram), 0.0);
  submit(three, 100.0, 1);
  engine.advance(ns(50));
  submit(two_members_of_two, 10.0, 2);
  run(engine);
  submit(three, 100.0, 3);
  run(engine);

  EXPECT_DOUBLE_EQ(engine.peak_held(sram), 3.0 + 2.0 * 2.0);
}

TEST_F(HoldingTest, HoldsOnOneResourceAddUp) {
  const Id<Resource> sram = engine.add(pool("sram", 3.0));
  const Id<Demand> one_and_one = engine.add(holding({{sram, 1.0}, {sram, 1.0}}));

  submit(one_and_one, 100.0, 1);
  submit(one_and_one, 100.0, 2);
  const auto done = run(engine);

  EXPECT_EQ(done.at(2).admitted, ns(100)) << "two and two do not fit into three";
  EXPECT_DOUBLE_EQ(engine.peak_held(sram), 2.0);
}

TEST_F(HoldingTest, ADeadlockNamesWaitersAndResources) {
  const Id<Resource> sram = engine.add(pool("sram of node 3", 2.0));
  submit(engine.add(holding({{sram, 5.0}})), 100.0, 0x2a);
  submit(engine.add(holding({{sram, 1.0}})), 100.0, 0x2b);

  std::string message;
  try {
    engine.advance();
  } catch (const Bug& bug) {
    message = bug.what();
  }

  EXPECT_THAT(message, HasSubstr("0x2a waits for 5 of sram of node 3 (2 of 2 free)"));
  EXPECT_THAT(message, HasSubstr("0x2b waits for 1 of sram of node 3"));
  EXPECT_THAT(message, HasSubstr("not first in line"));
}

TEST_F(HoldingTest, ADeadlockIsReportedAfterTheLastCompletion) {
  const Id<Resource> slot = engine.add(pool("slot", 1.0));
  submit(engine.add(holding({{slot}})), 100.0, 1);
  submit(engine.add(holding({{slot, 2.0}})), 100.0, 2);

  EXPECT_EQ(engine.advance().size(), 1U);
  EXPECT_THROW(engine.advance(), Bug);
}

}  // namespace
}  // namespace cairn::sim
