#include "cairn/search/evolution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <pagmo/utils/hypervolume.hpp>

#include "cairn/search/pareto.hpp"
#include "cairn/search/test_support/minimize.hpp"

namespace cairn::search {
namespace {

Space cube(std::size_t dimensions, double low, double high) {
  Space space;
  for (std::size_t i = 0; i < dimensions; ++i) {
    space.axes.push_back({.name = "x", .low = low, .high = high});
  }
  return space;
}

// Zitzler, Deb and Thiele 2000: the front is f2 = 1 - sqrt(f1).
Outcome zdt1(const Point& x) {
  double sum = 0.0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    sum += x[i];
  }
  const double g = 1.0 + 9.0 * sum / static_cast<double>(x.size() - 1);
  return {.objectives = {x[0], g * (1.0 - std::sqrt(x[0] / g))}};
}

double hypervolume(const std::vector<Trial>& trials) {
  std::vector<pagmo::vector_double> front;
  for (const std::size_t member : pareto_front(trials)) {
    if (trials[member].outcome.objectives[1] <= 1.1) {
      front.push_back(trials[member].outcome.objectives);
    }
  }
  return pagmo::hypervolume(front).compute({1.1, 1.1});
}

TEST(Nsga2, ReachesTheFrontOfZdt1) {
  Evolution search(cube(30, 0.0, 1.0), {.population = 64, .generations = 250});

  const auto trials = minimize(search, zdt1);

  // Below (1.1, 1.1) and above f2 = 1 - sqrt(f1): 1.1^2 - (1 - 2/3).
  const double known = 1.1 * 1.1 - 1.0 / 3.0;
  EXPECT_GT(hypervolume(trials), 0.99 * known);
  EXPECT_LE(hypervolume(trials), known);
  EXPECT_EQ(trials.size(), 64U * 251U);
}

TEST(Nsga2, AsksTheSameForTheSameSeed) {
  const auto run = [](std::uint64_t seed) {
    Evolution search(cube(5, 0.0, 1.0), {.population = 16, .generations = 5, .seed = seed});
    return minimize(search, zdt1).back().point;
  };

  EXPECT_EQ(run(3), run(3));
  EXPECT_NE(run(3), run(4));
}

TEST(Nsga2, OptimizesWholeNumbersAndChoices) {
  Space space = cube(1, 0.0, 1.0);
  space.axes.insert(space.axes.begin(), Axis::choice("c", 4));
  Evolution search(space, {.population = 32, .generations = 20});

  // Best: the third choice, and the number at a quarter.
  const auto trials = minimize(search, [](const Point& x) {
    EXPECT_EQ(x[0], std::round(x[0]));
    return Outcome{.objectives = {std::abs(x[0] - 2.0), std::abs(x[1] - 0.25)}};
  });

  const Trial& best = trials[pareto_front(trials).front()];
  EXPECT_EQ(best.point[0], 2.0);
  EXPECT_NEAR(best.point[1], 0.25, 0.05);
}

class EveryMethod : public testing::TestWithParam<EvolutionKind> {};

// pagmo cannot vary an axis of one value, and throws an exception.
TEST_P(EveryMethod, KeepsAxesOfOneValueConstant) {
  Space space = cube(1, 0.0, 1.0);
  space.axes.insert(space.axes.begin(), Axis::choice("only", 1));
  space.axes.push_back({.name = "whole", .kind = AxisKind::kWhole, .low = 64.0, .high = 64.0});
  space.axes.push_back({.name = "number", .low = 3.0, .high = 3.0});
  Evolution search(
      space,
      {.kind = GetParam(),
       .population = 16,
       .generations = 20,
       .objectives = GetParam() == EvolutionKind::kNsga2 ? std::size_t{2} : std::size_t{1}});

  const auto trials = minimize(search, [](const Point& x) {
    EXPECT_EQ((Point{x[0], x[2], x[3]}), (Point{0.0, 64.0, 3.0}));
    return Outcome{.objectives = {std::abs(x[1] - 0.25), std::abs(x[1] - 0.25)}};
  });

  EXPECT_NEAR(trials[pareto_front(trials).front()].point[1], 0.25, 0.05);
}

TEST_P(EveryMethod, TriesTheOnlyPointOfASpaceOnce) {
  Space space;
  space.axes.push_back(Axis::choice("only", 1));
  Evolution search(space, {.kind = GetParam(), .population = 8, .generations = 3});

  const auto trials =
      minimize(search, [](const Point& /*x*/) { return Outcome{.objectives = {1.0, 2.0}}; });

  ASSERT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[0].point, Point{0.0});
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         EveryMethod,
                         testing::Values(EvolutionKind::kNsga2,
                                         EvolutionKind::kCmaEs,
                                         EvolutionKind::kDifferential));

class SingleObjective : public testing::TestWithParam<EvolutionKind> {};

TEST_P(SingleObjective, FindsTheValleyOfRosenbrock) {
  Evolution search(
      cube(2, -2.0, 2.0),
      {.kind = GetParam(), .population = 20, .generations = 150, .islands = 3, .objectives = 1});

  const auto trials = minimize(search, [](const Point& x) {
    const double valley = x[1] - x[0] * x[0];
    return Outcome{.objectives = {100.0 * valley * valley + (1.0 - x[0]) * (1.0 - x[0])}};
  });

  const Trial& best = trials[pareto_front(trials).front()];
  EXPECT_NEAR(best.point[0], 1.0, 1e-2);
  EXPECT_NEAR(best.point[1], 1.0, 1e-2);
}

TEST_P(SingleObjective, KeepsConstraints) {
  Evolution search(
      cube(2, 0.0, 1.0),
      {.kind = GetParam(), .population = 20, .generations = 100, .islands = 2, .objectives = 1});

  // The sum at least 1, both as small as possible: a sum of 1.
  const auto trials = minimize(search, [](const Point& x) {
    return Outcome{.objectives = {x[0] + x[1]},
                   .constraint_violation = std::max(0.0, 1.0 - x[0] - x[1])};
  });

  EXPECT_NEAR(trials[pareto_front(trials).front()].outcome.objectives[0], 1.0, 1e-2);
}

// Most of the space is infeasible; the constraint violation guides the search.
TEST_P(SingleObjective, FindsFeasiblePointsByTheConstraintViolation) {
  const auto trials_with = [](bool told) {
    Evolution search(
        cube(2, 0.0, 1.0),
        {.kind = GetParam(), .population = 20, .generations = 50, .islands = 1, .objectives = 1});
    return minimize(search, [&](const Point& x) {
      const double lacks = x[0] + x[1] - 0.02;
      return lacks <= 0.0 ? Outcome{.objectives = {-x[0]}}
             : told       ? Outcome::infeasible(1, lacks)
                          : Outcome::infeasible(1);
    });
  };
  const auto possible = [](const std::vector<Trial>& trials) {
    return std::ranges::count_if(trials,
                                 [](const Trial& trial) { return trial.outcome.is_feasible(); });
  };

  const auto told = trials_with(true);

  EXPECT_GT(possible(told), 100);
  EXPECT_EQ(possible(trials_with(false)), 0);  // two of ten thousand points are feasible
  EXPECT_NEAR(told[pareto_front(told).front()].outcome.objectives[0], -0.02, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         SingleObjective,
                         testing::Values(EvolutionKind::kCmaEs, EvolutionKind::kDifferential));

}  // namespace
}  // namespace cairn::search
