#include "cairn/search/gradient_descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cairn/search/pareto.hpp"
#include "cairn/search/test_support/minimize.hpp"

namespace cairn::search {
namespace {

Space budget_of(std::size_t parts) {
  Space space{.axes = std::vector<Axis>(parts, {.name = "part"}), .budgets = {{}}};
  for (std::size_t i = 0; i < parts; ++i) {
    space.budgets[0].push_back(i);
  }
  return space;
}

Trial best_of(const std::vector<Trial>& trials) {
  return trials[pareto_front(trials).front()];
}

// A quadratic whose minimum uses all of the budget.
double quadratic(const Point& w) {
  const Point best{0.5, 0.3, 0.2};
  double sum = 1.0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += (w[i] - best[i]) * (w[i] - best[i]);
  }
  return sum;
}

class Descents : public testing::TestWithParam<GradientDescentOptions> {};

TEST_P(Descents, ConvergeOnAQuadratic) {
  GradientDescent search(budget_of(3), GetParam());

  const auto trials =
      minimize(search, [](const Point& w) { return Outcome{.objectives = {quadratic(w)}}; });

  EXPECT_LT(best_of(trials).outcome.objectives[0], 1.0 + 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Variants,
    Descents,
    testing::Values(GradientDescentOptions{.difference = 0.01, .norm = Norm::kSum},
                    GradientDescentOptions{.difference = 0.01, .norm = Norm::kNone},
                    GradientDescentOptions{
                        .starts = 30, .difference = 0.5, .descent = Descent::kProgram}));

// Also for a budget whose parts have their own bounds, and for an axis of one value.
TEST_P(Descents, StayWithinBounds) {
  const Space space{.axes = {{.name = "a", .low = 0.1, .high = 0.2},
                             {.name = "b", .low = 0.01, .high = 0.05},
                             {.name = "c", .low = 5.0, .high = 5.0},
                             {.name = "d", .low = 2.0, .high = 8.0, .logarithmic = true}},
                    .budgets = {{0, 1}}};
  GradientDescent search(space, GetParam());

  const auto trials = minimize(search, [](const Point& w) {
    return Outcome{.objectives = {10.0 - w[0] - 2.0 * w[1] - w[2] - w[3]}};
  });

  for (const Trial& trial : trials) {
    EXPECT_EQ(space.normal(trial.point), trial.point);
  }
  EXPECT_GT(best_of(trials).point[3], 7.9);
}

// More is always better, and half is allowed: the optimum is at the limit, whether a start is
// within it or not.
TEST_P(Descents, StopAtALimit) {
  const Space space{.axes = {{.name = "x"}}};
  GradientDescent search(space, GetParam());

  const auto trials = minimize(search, [](const Point& w) {
    return Outcome{.objectives = {2.0 - w[0]},
                   .constraint_violation = std::max(0.0, w[0] / 0.5 - 1.0)};
  });

  EXPECT_TRUE(best_of(trials).outcome.is_feasible());
  EXPECT_GT(best_of(trials).point[0], 0.48);
}

// Only the first start is given; the others are random.
TEST(GradientDescent, StartsAtTheGivenPoint) {
  const Point begin{0.2, 0.2, 0.6};
  GradientDescent search(budget_of(3),
                         {.starts = 2, .difference = 0.01, .norm = Norm::kNone, .begin = begin});

  const auto first = search.ask();

  ASSERT_EQ(first.size(), 2U * 4U);
  EXPECT_EQ(first[0], begin);
  EXPECT_NE(first[4], begin);

  GradientDescent alone(budget_of(3),
                        {.starts = 1, .difference = 0.01, .norm = Norm::kNone, .begin = begin});
  const auto trials =
      minimize(alone, [](const Point& w) { return Outcome{.objectives = {quadratic(w)}}; });
  EXPECT_LT(best_of(trials).outcome.objectives[0], 1.0 + 1e-3);
}

// Rosenbrock's function within a budget of 1: along x + y = 1 it is minimal where
// d/dx [100 (1 - x - x^2)^2 + (1 - x)^2] = 0, which is x = 0.6188 (bisection below).
TEST(GradientDescent, ConvergesOnRosenbrockWithinABudget) {
  const auto along = [](double x) {
    const double valley = 1.0 - x - x * x;
    return 100.0 * valley * valley + (1.0 - x) * (1.0 - x);
  };
  double low = 0.0;
  double high = 1.0;
  while (high - low > 1e-9) {
    const double third = (high - low) / 3.0;
    (along(low + third) < along(high - third) ? high : low) =
        along(low + third) < along(high - third) ? high - third : low + third;
  }
  GradientDescent search(budget_of(2),
                         {.starts = 4,
                          .steps = 5000,
                          .rate = 0.05,
                          .difference = 1e-4,
                          .norm = Norm::kNone,
                          .tolerance = 1e-9});

  const auto trials = minimize(search, [](const Point& w) {
    const double valley = w[1] - w[0] * w[0];
    return Outcome{.objectives = {100.0 * valley * valley + (1.0 - w[0]) * (1.0 - w[0])}};
  });

  const Trial best = best_of(trials);
  EXPECT_NEAR(best.point[0], low, 1e-2);
  EXPECT_NEAR(best.outcome.objectives[0], along(low), 1e-2 * along(low));
}

TEST(GradientDescent, AsksForOnePointPlusOnePerParameterInEachStep) {
  GradientDescent search(budget_of(3), {.starts = 2, .steps = 5, .tolerance = 0.0});

  const auto trials =
      minimize(search, [](const Point& w) { return Outcome{.objectives = {quadratic(w)}}; });

  EXPECT_EQ(trials.size(), 2U * 6U * (3U + 1U));
}

TEST(GradientDescent, DescendsForEachChoiceByItself) {
  Space space = budget_of(3);
  space.axes.push_back(Axis::choice("far", 2));
  GradientDescent search(space, {.starts = 2, .difference = 0.01});

  const auto trials = minimize(search, [](const Point& w) {
    return Outcome{.objectives = {quadratic({w[0], w[1], w[2]}) + w[3]}};
  });

  std::vector<double> best{9.0, 9.0};
  for (const Trial& trial : trials) {
    auto& least = best[static_cast<std::size_t>(trial.point[3])];
    least = std::min(least, trial.outcome.objectives[0]);
  }
  EXPECT_NEAR(best[0], 1.0, 1e-3);
  EXPECT_NEAR(best[1], 2.0, 1e-3);
}

// Points with more than 60 % in the first part are infeasible; the optimum is next to them.
TEST_P(Descents, GoBackFromInfeasiblePoints) {
  GradientDescentOptions options = GetParam();
  options.starts = 10;
  GradientDescent search(budget_of(3), options);

  const auto trials = minimize(search, [](const Point& w) {
    return w[0] > 0.6 ? Outcome::infeasible(1) : Outcome{.objectives = {2.0 - w[0]}};
  });

  EXPECT_LT(best_of(trials).outcome.objectives[0], 2.0 - 0.55);
}

// Half of all starts are infeasible.
TEST(GradientDescent, RedrawsInfeasibleStarts) {
  const Space space{.axes = {{.name = "a", .low = 0.0, .high = 1.0}}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    GradientDescent search(space, {.starts = 1, .seed = seed});

    const auto trials = minimize(search, [](const Point& w) {
      return w[0] > 0.5 ? Outcome::infeasible(1) : Outcome{.objectives = {1.0 + w[0]}};
    });

    EXPECT_LT(best_of(trials).outcome.objectives[0], 1.01) << seed;
  }
}

TEST(GradientDescent, ClampsToBoundsAndEndsIfNothingIsFeasible) {
  GradientDescent search({.axes = {Axis{.name = "x", .low = 1.0, .high = 3.0}}},
                         {.starts = 3, .difference = 0.01});
  const auto trials = minimize(search, [](const Point& x) {
    EXPECT_GE(x[0], 1.0);
    EXPECT_LE(x[0], 3.0);
    return Outcome{.objectives = {x[0]}};
  });
  EXPECT_NEAR(best_of(trials).point[0], 1.0, 1e-6);

  GradientDescent nowhere(budget_of(2), {.starts = 3});
  EXPECT_EQ(minimize(nowhere, [](const Point&) { return Outcome::infeasible(1); }).size(),
            3U * 10U * (2U + 1U));  // ten starts for each descent
}

}  // namespace
}  // namespace cairn::search
