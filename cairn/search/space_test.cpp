#include "cairn/search/space.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "cairn/search/dice.hpp"

namespace cairn::search {
namespace {

Axis whole(double low, double high) {
  return {.name = "whole", .kind = AxisKind::kWhole, .low = low, .high = high};
}

// A choice of two; only the second has a whole number of three values.
Space conditional() {
  Space space{.axes = {Axis::choice("kind", 2), whole(1, 3)}};
  space.axes[1].condition = Condition{.axis = 0, .values = {1.0}};
  return space;
}

TEST(Space, HasTheProductOfItsAxesAsPoints) {
  const Space space{.axes = {Axis::choice("a", 3), whole(-1, 2)}};

  EXPECT_EQ(space.size(), 3 * 4);
  EXPECT_EQ(space.all_points().size(), 3 * 4);
  EXPECT_EQ(space.all_points()[1], (Point{0, 0}));
}

TEST(Space, CountsHiddenAxesOnce) {
  const Space space = conditional();

  EXPECT_EQ(space.size(), 1 + 3);
  EXPECT_EQ(space.all_points(), (std::vector<Point>{{0, 1}, {1, 1}, {1, 2}, {1, 3}}));
  EXPECT_EQ(space.normal({0, 3}), space.normal({0, 2}));
  EXPECT_NE(space.normal({1, 3}), space.normal({1, 2}));
}

// 10^12 points would take hours.
TEST(Space, StopsCountingAboveTheMaximum) {
  Space space{.axes = {whole(1, 1e4), whole(1, 1e4), whole(1, 1e4), whole(1, 2)}};
  EXPECT_EQ(space.size(100.0), 2e12);
  space.axes[3].condition = Condition{.axis = 0, .values = {1.0}};

  EXPECT_EQ(space.size(100.0), 101.0);
  EXPECT_EQ(conditional().size(4.0), 4.0);
}

TEST(Space, CountsCombinationsIgnoringContinuousAxes) {
  Space space = conditional();
  space.axes.push_back({.name = "number"});

  EXPECT_FALSE(space.size().has_value());
  EXPECT_EQ(space.combinations(), 1 + 3);
}

// The first platform allows strategies 0 and 2, the second only 1.
Space restricted() {
  Space space{.axes = {Axis::choice("platform", 2), Axis::choice("strategy", 3)}};
  space.axes[1].restriction =
      Restriction{.axes = {0}, .choices = {{{0.0}, {0.0, 2.0}}, {{1.0}, {1.0}}}};
  return space;
}

TEST(Space, HasOnlyThePointsThatEarlierAxesAllow) {
  const Space space = restricted();

  EXPECT_EQ(space.size(), 2 + 1);
  EXPECT_EQ(space.all_points(), (std::vector<Point>{{0, 0}, {0, 2}, {1, 1}}));
  EXPECT_EQ(space.normal({1, 2}), (Point{1, 1}));
}

TEST(Space, RandomPointsAreExactlyTheAllowedOnes) {
  const Space space = restricted();
  Dice dice(1);
  std::set<Point> found;

  for (int i = 0; i < 1000; ++i) {
    found.insert(random_point(space, dice));
  }

  EXPECT_EQ(found, (std::set<Point>{{0, 0}, {0, 2}, {1, 1}}));
}

TEST(Space, HasNoSizeWithContinuousAxes) {
  const Space space{.axes = {Axis{.name = "x"}}};

  EXPECT_FALSE(space.size().has_value());
}

RC_GTEST_PROP(Space, NormalFormsAreInBoundsAndIdempotent, ()) {
  Space space{.axes = {Axis{.name = "x", .low = 0.0, .high = 1.0},
                       Axis{.name = "y", .low = 0.0, .high = 1.0},
                       whole(2, 5),
                       Axis::choice("c", 3)},
              .budgets = {{0, 1}}};
  const auto value = [] { return *rc::gen::inRange(-300, 300) / 100.0; };

  const Point point = space.normal({value(), value(), value(), value()});

  for (std::size_t a = 0; a < point.size(); ++a) {
    RC_ASSERT(point[a] >= space.axes[a].low && point[a] <= space.axes[a].high);
  }
  RC_ASSERT(point[0] + point[1] <= 1.0 + 1e-12);
  RC_ASSERT(space.normal(point) == point || point[0] + point[1] > 1.0 - 1e-12);
}

TEST(RandomPoint, UsesAllOfABudgetAndReachesEveryChoice) {
  const Space space{.axes = {Axis{.name = "x"}, Axis{.name = "y"}, Axis::choice("c", 3)},
                    .budgets = {{0, 1}}};
  Dice dice(7);
  std::set<double> seen;
  for (int i = 0; i < 100; ++i) {
    const Point point = random_point(space, dice);
    EXPECT_NEAR(point[0] + point[1], 1.0, 1e-12);
    seen.insert(point[2]);
  }
  EXPECT_EQ(seen, (std::set<double>{0, 1, 2}));
}

TEST(RandomPoint, OfALogarithmicAxisHasTheGeometricMeanAsMedian) {
  const Space space{.axes = {Axis{.name = "x", .low = 1.0, .high = 100.0, .logarithmic = true}}};
  Dice dice(7);
  int below = 0;
  for (int i = 0; i < 1000; ++i) {
    below += random_point(space, dice)[0] < 10.0 ? 1 : 0;
  }
  EXPECT_NEAR(below, 500, 4 * 16);  // four standard deviations
}

// Parts of a budget keep their lower bounds, and their sum is at most 1.
RC_GTEST_PROP(Space, PartsOfABudgetKeepTheirLowerBounds, ()) {
  const auto part = [](int most) { return 0.01 * *rc::gen::inRange(0, most + 1); };
  const double low = part(50);
  const double other = part(50);
  const Space space{.axes = {{.name = "x", .kind = AxisKind::kNumber, .low = low, .high = 1.0},
                             {.name = "y", .kind = AxisKind::kNumber, .low = other, .high = 1.0}},
                    .budgets = {{0, 1}}};

  const Point point = space.normal({part(100), part(100)});

  RC_ASSERT(point[0] >= low - 1e-12);
  RC_ASSERT(point[1] >= other - 1e-12);
  RC_ASSERT(point[0] + point[1] <= 1.0 + 1e-12);
}

}  // namespace
}  // namespace cairn::search
