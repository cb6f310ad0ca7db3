#include "cairn/report/drawn_rate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cairn::report {
namespace {

DrawTime draw(double asked, double begin, double end, double drawn) {
  return {Seconds(asked), Seconds(begin), Seconds(end), drawn};
}

double rate_at(const std::vector<RatePoint>& rates, double time) {
  double rate = 0.0;
  for (const RatePoint& point : rates) {
    rate = point.at <= Seconds(time) ? point.rate : rate;
  }
  return rate;
}

double area(const std::vector<RatePoint>& rates) {
  double sum = 0.0;
  for (std::size_t p = 0; p + 1 < rates.size(); ++p) {
    sum += rates[p].rate * (rates[p + 1].at - rates[p].at).si();
  }
  return sum;
}

TEST(DrawnRate, IsEvenBelowCapacity) {
  const auto rates = drawn_rate(std::vector{draw(0, 1, 3, 4.0), draw(2, 2, 4, 2.0)}, 10.0);

  EXPECT_DOUBLE_EQ(rate_at(rates, 0.5), 0.0);
  EXPECT_DOUBLE_EQ(rate_at(rates, 1.5), 2.0);
  EXPECT_DOUBLE_EQ(rate_at(rates, 2.5), 3.0);
  EXPECT_DOUBLE_EQ(rate_at(rates, 3.5), 1.0);
  EXPECT_DOUBLE_EQ(rate_at(rates, 4.0), 0.0);
}

// 1.5 in two seconds and 0.5 in the second one, with capacity 1/s: both seconds are full.
TEST(DrawnRate, ExcessMovesToFreeCapacity) {
  const auto rates = drawn_rate(std::vector{draw(0, 0, 2, 1.5), draw(1, 1, 2, 0.5)}, 1.0);

  EXPECT_DOUBLE_EQ(rate_at(rates, 0.5), 1.0);
  EXPECT_DOUBLE_EQ(rate_at(rates, 1.5), 1.0);
}

// The second draw cannot move: the first, which is requested earlier, has to.
TEST(DrawnRate, MayBeginAsSoonAsRequested) {
  const auto rates = drawn_rate(std::vector{draw(0, 1, 2, 1.0), draw(1, 1, 2, 1.0)}, 1.0);

  EXPECT_DOUBLE_EQ(rate_at(rates, 0.5), 1.0);
  EXPECT_DOUBLE_EQ(rate_at(rates, 1.5), 1.0);
}

// An impossible draw, 2 in one second at capacity 1/s, is not hidden.
TEST(DrawnRate, ExceedsCapacityIfNecessary) {
  const auto rates = drawn_rate(std::vector{draw(0, 0, 1, 2.0)}, 1.0);

  EXPECT_DOUBLE_EQ(area(rates), 2.0);
}

// Draws from a feasible history: in each time slice some of the active draws share the capacity at
// random. The reconstruction then never needs more than the capacity.
TEST(DrawnRate, StaysWithinCapacityAndAddsUp) {
  std::mt19937 random(7);
  const auto up_to = [&](int most) {
    return static_cast<int>(random() % (static_cast<unsigned>(most) + 1U));
  };
  for (int round = 0; round < 200; ++round) {
    const int slices = 5 + up_to(60);
    const double capacity = 1.0 + up_to(4);
    std::vector<DrawTime> draws;
    for (int d = 0; d < 1 + up_to(30); ++d) {
      const int asked = up_to(slices - 1);
      const int end = asked + 1 + up_to(std::min(slices - asked - 1, 1 + up_to(slices)));
      draws.push_back(draw(asked, asked + up_to(end - asked - 1), end, 0.0));
    }
    double total = 0.0;
    for (int s = 0; s < slices; ++s) {
      double left = capacity;
      for (DrawTime& d : draws) {
        if (d.asked <= Seconds(s) && Seconds(s + 1) <= d.end) {
          const double amount = left * up_to(4) / 4.0;
          d.drawn += amount;
          total += amount;
          left -= amount;
        }
      }
    }

    const auto rates = drawn_rate(draws, capacity);

    EXPECT_NEAR(area(rates), total, 1e-9 * total) << "round " << round;
    for (const RatePoint& point : rates) {
      EXPECT_LE(point.rate, capacity * (1.0 + 1e-9)) << "round " << round;
      EXPECT_GE(point.rate, 0.0);
    }
  }
}

}  // namespace
}  // namespace cairn::report
