// Rates after a change: the engine solves only the activities that the change affects, but all must
// end up with their max-min share.
#include <gtest/gtest.h>

#include <map>

#include "cairn/sim/engine.hpp"
#include "cairn/sim/test_support/engine_world.hpp"

namespace cairn::sim {
namespace {

using test::activity;
using test::drawing;
using test::kGigabyte;
using test::link;
using test::ns;

class EngineSharing : public ::testing::Test {
 protected:
  Engine engine;
  Id<Resource> left = engine.add(link("left"));
  Id<Resource> right = engine.add(link("right"));

  Id<Issuer> issuer() { return engine.add(Issuer{"issuer"}); }

  void submit(const Demand& demand, Id<Issuer> by, double work, std::uint64_t tag, int age = 0) {
    Activity a = activity(engine.add(demand), by, work, tag);
    a.age = static_cast<std::uint64_t>(age);
    engine.submit(a);
  }

  // In GB/s, by tag. A rate is a few divisions: compared to 1e-9.
  std::map<std::uint64_t, double> rates() {
    std::map<std::uint64_t, double> result;
    for (const auto& [tag, rate] : engine.rates()) {
      result[tag] = rate / kGigabyte;
    }
    return result;
  }
};

TEST_F(EngineSharing, AChangeReachesActivitiesTwoLinksAway) {
  // 1 on left, 2 on both, 3 on right with a limit of its own.
  submit(drawing(left), issuer(), 100.0, 1);
  submit(drawing({{left}, {right}}), issuer(), 1e6, 2);
  submit(drawing(right, 0.0, 0.25 * kGigabyte), issuer(), 50.0, 3);

  EXPECT_NEAR(rates()[2], 1.0 / 2, 1e-9) << "limited by left";
  ASSERT_EQ(engine.advance().size(), 2U);

  EXPECT_EQ(engine.now(), ns(200));
  EXPECT_NEAR(rates()[2], 1.0, 1e-9) << "alone";
}

// 1 draws two units of left and one of right. While 3 is on left, 1 has 1/4 and 2 all of its limit
// of 3/4 of right, which is just what 1 leaves. When 3 is gone, 1 is limited by the other link
// first, at the same rate; it must still get back its half of right from 2.
TEST_F(EngineSharing, ANewLimitingLinkAtTheSameRateStillReachesOthers) {
  submit(drawing({{left, 2.0}, {right, 1.0}}), issuer(), 1e6, 1);
  submit(drawing(right, 0.0, 0.75 * kGigabyte), issuer(), 1e6, 2);
  submit(drawing(left), issuer(), 50.0, 3);

  EXPECT_NEAR(rates()[1], 1.0 / 2 / 2, 1e-9);
  EXPECT_NEAR(rates()[2], 0.75, 1e-9);
  ASSERT_EQ(engine.advance().front().tag, 3U);

  EXPECT_NEAR(rates()[1], 1.0 / 2, 1e-9);
  EXPECT_NEAR(rates()[2], 1.0 / 2, 1e-9);
}

// The younger chunk of an issuer draws on both links. When an older one takes all of left, the
// younger one's half of right goes to the other users there.
TEST_F(EngineSharing, AYoungerChunkThatStopsOnOneLinkReleasesItsOthers) {
  const Id<Issuer> collective = issuer();
  submit(drawing({{left}, {right}}), collective, 1e6, 1, 1);
  submit(drawing(right), issuer(), 1e6, 2);
  EXPECT_NEAR(rates()[1], 1.0 / 2, 1e-9);
  EXPECT_NEAR(rates()[2], 1.0 / 2, 1e-9);

  engine.advance(ns(10));
  submit(drawing(left), collective, 1e6, 3, 0);

  EXPECT_NEAR(rates()[3], 1.0, 1e-9);
  EXPECT_NEAR(rates()[1], 0.0, 1e-9);
  EXPECT_NEAR(rates()[2], 1.0, 1e-9);
}

TEST_F(EngineSharing, AnActivityWithoutWorkTakesNoShare) {
  submit(drawing(left), issuer(), 1e6, 1);
  engine.advance(ns(10));
  submit(drawing(left), issuer(), 0.0, 2);
  submit(drawing({{left}, {right}}), issuer(), 1e6, 3);

  EXPECT_NEAR(rates()[1], 1.0 / 2, 1e-9);
  EXPECT_NEAR(rates()[3], 1.0 / 2, 1e-9);
}

}  // namespace
}  // namespace cairn::sim
