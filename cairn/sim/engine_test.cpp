#include "cairn/sim/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"
#include "cairn/sim/test_support/engine_world.hpp"

namespace cairn::sim {
namespace {

using test::activity;
using test::drawing;
using test::kGigabyte;
using test::kNoLimit;
using test::link;
using test::ns;
using test::run;

// One link of 1 GB/s (a byte takes 1 ns) and two issuers of weight 1.
class EngineTest : public ::testing::Test {
 protected:
  Engine engine;
  Id<Resource> wire = engine.add(link("wire"));
  Id<Issuer> kernel = engine.add(Issuer{"kernel"});
  Id<Issuer> collective = engine.add(Issuer{"collective"});
  Id<Demand> at_once = engine.add(drawing(wire));
  Id<Demand> after_500ns = engine.add(drawing(wire, 500.0));
};

TEST_F(EngineTest, AloneAnActivityTakesItsLatencyAndItsWorkAtFullRate) {
  engine.submit(activity(after_500ns, kernel, 1000.0, 1));

  const auto done = run(engine);

  EXPECT_EQ(done.at(1).submitted, ns(0));
  EXPECT_EQ(done.at(1).admitted, ns(0));
  EXPECT_EQ(done.at(1).finished, ns(500 + 1000));
  EXPECT_TRUE(engine.idle());
}

TEST_F(EngineTest, AloneItsOwnLimitAppliesWhenLower) {
  const Id<Demand> slow = engine.add(drawing(wire, 0.0, 0.5 * kGigabyte));
  Activity slower = activity(at_once, kernel, 1000.0, 2);
  slower.speed_limit = 0.25 * kGigabyte;

  engine.submit(activity(slow, kernel, 1000.0, 1));
  EXPECT_EQ(run(engine).at(1).finished, ns(2000));
  engine.submit(slower);

  EXPECT_EQ(run(engine).at(2).finished, ns(2000 + 4000));
}

TEST_F(EngineTest, TwoOnOneLinkTakeTwiceAsLong) {
  engine.submit(activity(at_once, kernel, 1000.0, 1));
  engine.submit(activity(at_once, collective, 1000.0, 2));

  const auto done = run(engine);

  EXPECT_EQ(done.at(1).finished, ns(2000));
  EXPECT_EQ(done.at(2).finished, ns(2000));
}

TEST_F(EngineTest, TheRemainingActivitySpeedsUp) {
  // Both at half speed until the short one is done at 2 x 400; the other has 600 left.
  engine.submit(activity(at_once, kernel, 400.0, 1));
  engine.submit(activity(at_once, collective, 1000.0, 2));

  const auto done = run(engine);

  EXPECT_EQ(done.at(1).finished, ns(800));
  EXPECT_EQ(done.at(2).finished, ns(800 + 600));
}

TEST_F(EngineTest, TimeStopsAtTheLastCompletion) {
  // The long one was once expected at 2000, when both shared.
  engine.submit(activity(at_once, kernel, 400.0, 1));
  engine.submit(activity(at_once, collective, 1000.0, 2));

  run(engine);

  EXPECT_EQ(engine.now(), ns(1400));
  engine.submit(activity(at_once, kernel, 100.0, 3));
  EXPECT_EQ(run(engine).at(3).finished, ns(1500));
}

TEST_F(EngineTest, AnArrivalInTheMiddleSharesFromThenOn) {
  engine.submit(activity(at_once, kernel, 1000.0, 1));
  EXPECT_TRUE(engine.advance(ns(500)).empty());
  EXPECT_EQ(engine.now(), ns(500));
  engine.submit(activity(at_once, collective, 1000.0, 2));

  const auto done = run(engine);

  // The first has 500 left at half speed; then the second has 500 left at full speed.
  EXPECT_EQ(done.at(1).finished, ns(500 + 2 * 500));
  EXPECT_EQ(done.at(2).submitted, ns(500));
  EXPECT_EQ(done.at(2).finished, ns(1500 + 500));
}

TEST_F(EngineTest, OthersUseTheLinkDuringALatency) {
  engine.submit(activity(after_500ns, kernel, 1000.0, 1));
  engine.submit(activity(at_once, collective, 1000.0, 2));

  const auto done = run(engine);

  // The second is alone until 500, then has 500 left at half speed; the first then has 500 left.
  EXPECT_EQ(done.at(2).finished, ns(500 + 2 * 500));
  EXPECT_EQ(done.at(1).finished, ns(1500 + 500));
}

TEST_F(EngineTest, JoiningALinkWhoseOnlyUserIsStillInItsLatency) {
  engine.submit(activity(after_500ns, kernel, 1000.0, 1));
  engine.advance(ns(200));
  engine.submit(activity(at_once, collective, 1000.0, 2));

  const auto done = run(engine);

  // The second is alone from 200 to 500, then has 700 left at half speed: until 1900. The first has
  // done 700 by then.
  EXPECT_EQ(done.at(2).finished, ns(500 + 2 * 700));
  EXPECT_EQ(done.at(1).finished, ns(1900 + 300));
}

TEST_F(EngineTest, AnActivityThatEndsDuringTheLatencyChangesNothing) {
  engine.submit(activity(after_500ns, kernel, 1000.0, 1));
  engine.advance(ns(200));
  engine.submit(activity(at_once, collective, 100.0, 2));

  const auto done = run(engine);

  EXPECT_EQ(done.at(2).finished, ns(300));
  EXPECT_EQ(done.at(1).finished, ns(1500));
}

TEST_F(EngineTest, AnActivityInItsLatencyDoesNotSlowOthers) {
  engine.submit(activity(at_once, kernel, 1000.0, 1));
  engine.advance(ns(600));
  engine.submit(activity(after_500ns, collective, 1000.0, 2));

  const auto done = run(engine);

  EXPECT_EQ(done.at(1).finished, ns(1000));
  EXPECT_EQ(done.at(2).finished, ns(600 + 500 + 1000));
}

TEST_F(EngineTest, ChunksOfOneIssuerGoOldestFirst) {
  for (std::uint64_t chunk = 0; chunk < 3; ++chunk) {
    Activity a = activity(at_once, collective, 1000.0, 10 + chunk);
    a.age = chunk;
    engine.submit(a);
  }
  engine.submit(activity(at_once, kernel, 1000.0, 1));

  const auto done = run(engine);

  // The kernel has half of the link until it is done at 2000, the chunks the other half, one after
  // the other.
  EXPECT_EQ(done.at(1).finished, ns(2000));
  EXPECT_EQ(done.at(10).finished, ns(2000));
  EXPECT_EQ(done.at(11).finished, ns(3000));
  EXPECT_EQ(done.at(12).finished, ns(4000));
}

TEST_F(EngineTest, WeightsDivideTheLink) {
  const Id<Issuer> heavy = engine.add(Issuer{"heavy", 3.0});

  engine.submit(activity(at_once, kernel, 1000.0, 1));
  engine.submit(activity(at_once, heavy, 1000.0, 2));
  const auto done = run(engine);

  EXPECT_EQ(done.at(2).finished, after(SimTime(), Seconds(1000e-9 / (3.0 / 4))));
  // The link is never idle, but each of the two completions may round up by 1 ps.
  EXPECT_LE(test::distance_ps(done.at(1).finished, ns(2000)), 2);
}

TEST_F(EngineTest, NoWorkTakesOnlyItsLatency) {
  engine.submit(activity(after_500ns, kernel, 0.0, 1));
  engine.submit(activity(at_once, kernel, 0.0, 2));
  engine.submit(activity(at_once, collective, 1000.0, 3));

  const auto done = run(engine);

  EXPECT_EQ(done.at(2).finished, ns(0));
  EXPECT_EQ(done.at(1).finished, ns(500));
  EXPECT_EQ(done.at(3).finished, ns(1000)) << "no other activity drew";
}

TEST_F(EngineTest, WithoutDrawsItsSpeedLimitApplies) {
  const Id<Demand> thinking = engine.add(drawing(std::vector<Draw>{}, 500.0, 2.0 * kGigabyte));
  const Id<Demand> nothing = engine.add(drawing(std::vector<Draw>{}));

  engine.submit(activity(thinking, kernel, 1000.0, 1));
  engine.submit(activity(nothing, kernel, 1000.0, 2));
  const auto done = run(engine);

  EXPECT_EQ(done.at(1).finished, ns(500 + 1000.0 / 2));
  EXPECT_EQ(done.at(2).finished, ns(0)) << "neither limit nor resource: no time";
}

TEST_F(EngineTest, AnUnlimitedResourceLimitsNothing) {
  const Id<Resource> ideal = engine.add(link("ideal", kNoLimit));
  const Id<Demand> on_both = engine.add(drawing({{ideal}, {wire}}));

  engine.submit(activity(on_both, kernel, 1000.0, 1));
  engine.submit(activity(on_both, collective, 1000.0, 2));

  EXPECT_EQ(run(engine).at(2).finished, ns(2000)) << "as on the wire alone";
}

TEST_F(EngineTest, DrawsOnOneResourceAddUp) {
  const Id<Demand> twice = engine.add(drawing({{wire, 1.0}, {wire, 1.0}}));
  const Id<Demand> three_and_half = engine.add(drawing({{wire, 3.0}, {wire, 0.5}}));

  engine.submit(activity(twice, kernel, 1000.0, 1));
  EXPECT_EQ(run(engine).at(1).finished, ns(2000));
  engine.submit(activity(three_and_half, kernel, 1000.0, 2));
  EXPECT_EQ(run(engine).at(2).finished, ns(2000 + 3500));

  EXPECT_DOUBLE_EQ(engine.drawn(wire), 2000.0 + 3500.0);
}

TEST_F(EngineTest, AFoldedClassDrawsOncePerMember) {
  // Two members of the class use one link: each has half of it.
  const Id<Demand> folded = engine.add(drawing({{wire, 1.0, 2.0}}));

  engine.submit(activity(folded, kernel, 1000.0, 1));

  EXPECT_EQ(run(engine).at(1).finished, ns(2000));
  EXPECT_DOUBLE_EQ(engine.drawn(wire), 2000.0);
}

TEST_F(EngineTest, AdvancingInPiecesGivesTheSameResult) {
  const auto submit_all = [this](Engine& e) {
    e.submit(activity(after_500ns, kernel, 1234.0, 1));
    e.submit(activity(at_once, collective, 777.0, 2));
    e.submit(activity(at_once, kernel, 10.0, 3));
  };
  Engine whole = engine;
  submit_all(whole);
  const auto expected = run(whole);

  submit_all(engine);
  std::map<std::uint64_t, SimTime> finished;
  for (int piece = 1; piece < 100; ++piece) {
    const SimTime until = ns(37.0 * piece);
    for (auto done = engine.advance(until); !done.empty(); done = engine.advance(until)) {
      for (const Completion& c : done) {
        EXPECT_LE(c.finished, until);
        finished[c.tag] = c.finished;
      }
    }
  }

  EXPECT_EQ(finished.size(), 3U);
  for (const auto& [tag, completion] : expected) {
    EXPECT_EQ(finished[tag], completion.finished) << tag;
  }
}

TEST_F(EngineTest, CompletionsOfOneInstantComeTogetherInTheOrderOfSubmission) {
  engine.submit(activity(after_500ns, kernel, 0.0, 3));
  engine.submit(activity(after_500ns, kernel, 0.0, 1));
  engine.submit(activity(after_500ns, collective, 0.0, 2));

  std::vector<std::uint64_t> tags;
  for (const Completion& c : engine.advance()) {
    tags.push_back(c.tag);
  }

  EXPECT_THAT(tags, ::testing::ElementsAre(3, 1, 2));
}

TEST_F(EngineTest, AnIdleEngineAdvancesOnlyToTheGivenTime) {
  EXPECT_TRUE(engine.idle());

  EXPECT_TRUE(engine.advance().empty());
  EXPECT_EQ(engine.now(), ns(0));
  EXPECT_TRUE(engine.advance(ns(100)).empty());
  EXPECT_EQ(engine.now(), ns(100));
}

TEST_F(EngineTest, TwoEnginesDoNotAffectEachOther) {
  Engine other = engine;
  engine.submit(activity(at_once, kernel, 1000.0, 1));
  other.submit(activity(at_once, kernel, 3000.0, 1));
  other.submit(activity(at_once, collective, 3000.0, 2));

  EXPECT_TRUE(other.advance(ns(400)).empty());
  EXPECT_TRUE(engine.advance(ns(900)).empty());
  engine.submit(activity(at_once, collective, 1000.0, 2));
  const auto others = run(other);
  const auto ours = run(engine);

  EXPECT_EQ(others.at(1).finished, ns(6000));
  EXPECT_EQ(ours.at(1).finished, ns(900 + 2 * 100));
  EXPECT_EQ(ours.at(2).finished, ns(1100 + 900));
}

TEST_F(EngineTest, ZeroCapacityAndZeroWeightAreBugs) {
  EXPECT_THROW(engine.add(link("broken", 0.0)), Bug);
  EXPECT_THROW(engine.add(Issuer{"nobody", 0.0}), Bug);
}

}  // namespace
}  // namespace cairn::sim
