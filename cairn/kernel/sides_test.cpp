#include "cairn/kernel/sides.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn::kernel {
namespace {

TEST(Sides, AreTheShortestForTheirNumberOfParts) {
  EXPECT_EQ(useful_sides(10.0, 1.0, 10.0), (std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 10.0}));
  EXPECT_EQ(useful_sides(10.0, 4.0, 100.0), (std::vector{4.0, 8.0, 12.0}));
  EXPECT_EQ(useful_sides(10.0, 1.0, 4.0), (std::vector{1.0, 2.0, 3.0, 4.0}));
}

TEST(Sides, FromTheLongestAreTheSame) {
  for (const double length : {1.0, 2.0, 7.0, 10.0, 360.0}) {
    std::vector<double> sides;
    for_each_side_from_longest(length, [&](double side, double cuts) {
      EXPECT_EQ(cuts, std::ceil(length / side));
      sides.push_back(side);
      return true;
    });
    std::ranges::reverse(sides);
    EXPECT_EQ(sides, useful_sides(length, 1.0, length));
  }
}

TEST(Parts, BeyondTheRangeOfIntegersAreTheRatio) {
  EXPECT_EQ(parts(1e30, 4.0), 2.5e29);
  EXPECT_EQ(parts(7.0, 2.0), 4.0);
  EXPECT_EQ(parts(8.0, 2.0), 4.0);
}

// For any side, one of them gives as few parts and is no longer.
RC_GTEST_PROP(SidesProperty, LeaveNothingOut, ()) {
  const double length = *rc::gen::inRange(1, 500);
  const double step = *rc::gen::inRange(1, 9);
  const double side = step * *rc::gen::inRange(1, 100);
  bool found = false;

  for_each_side(length, step, 1e9, [&](double useful, double cuts) {
    RC_ASSERT(cuts == std::ceil(length / useful));
    found = found || (useful <= side && cuts <= std::ceil(length / side));
  });

  RC_ASSERT(found);
  RC_ASSERT(1.0 * static_cast<double>(useful_sides(length, 1.0, length).size()) <=
            2.0 * std::sqrt(length) + 1.0);
}

}  // namespace
}  // namespace cairn::kernel
