#include "cairn/validate/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::validate {
namespace {

constexpr double kFar = 1e9;

Residuals residuals_of(std::function<std::vector<double>(const std::vector<double>&)> function) {
  return {.all = function,
          .changed = [function](const std::vector<double>& x,
                                std::size_t,
                                std::vector<double>& result) { result = function(x); }};
}

TEST(LeastSquares, LineFitMatchesTheClosedForm) {
  // y = a + b t through (0, 1), (1, 3), (2, 4): b = 3/2, a = 7/6.
  const auto fit =
      least_squares(residuals_of([](const std::vector<double>& x) {
                      return std::vector{x[0] - 1, x[0] + x[1] - 3, x[0] + 2 * x[1] - 4};
                    }),
                    {0.0, 0.0},
                    {.least = {-kFar, -kFar}, .most = {kFar, kFar}},
                    {.rounds = 50, .outlier = kFar, .enough = 0.0});
  EXPECT_NEAR(fit.x[0], 7.0 / 6.0, 1e-6);
  EXPECT_NEAR(fit.x[1], 1.5, 1e-6);
  // Residuals 1/6, -1/3, 1/6: variance 1/6; inverse of the normal matrix has 5/6 and 1/2.
  EXPECT_NEAR(fit.spread[0], std::sqrt(5.0 / 36.0), 1e-6);
  EXPECT_NEAR(fit.spread[1], std::sqrt(1.0 / 12.0), 1e-6);
  EXPECT_LT(fit.after, fit.before);
}

TEST(LeastSquares, FollowsACurvedValley) {
  const auto fit = least_squares(residuals_of([](const std::vector<double>& x) {
                                   return std::vector{10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]};
                                 }),
                                 {-1.2, 1.0},
                                 {.least = {-kFar, -kFar}, .most = {kFar, kFar}},
                                 {.rounds = 500, .step = 1e-6, .outlier = kFar, .enough = 0.0});
  EXPECT_NEAR(fit.x[0], 1.0, 1e-3);
  EXPECT_NEAR(fit.x[1], 1.0, 1e-3);
}

TEST(LeastSquares, StaysWithinBounds) {
  const auto fit = least_squares(
      residuals_of([](const std::vector<double>& x) { return std::vector{x[0] - 5.0}; }),
      {0.0},
      {.least = {-1.0}, .most = {2.0}});
  EXPECT_NEAR(fit.x[0], 2.0, 1e-9);
}

TEST(LeastSquares, OutlierHasLimitedWeight) {
  const auto fit = least_squares(residuals_of([](const std::vector<double>& x) {
                                   return std::vector{x[0], x[0], x[0] - 100.0};
                                 }),
                                 {1.0},
                                 {.least = {-kFar}, .most = {kFar}},
                                 {.rounds = 100, .outlier = 0.1, .enough = 0.0});
  // Two pull with x, the third with no more than the bound: 2 x = 0.1.
  EXPECT_NEAR(fit.x[0], 0.05, 1e-6);
}

TEST(LeastSquares, DetectsUndeterminedParameters) {
  // Residuals depend on x0 + x1, on x2, and not on x3.
  const auto fit = least_squares(
      residuals_of([](const std::vector<double>& x) {
        return std::vector{x[0] + x[1] - 1.1, x[0] + x[1] - 0.9, x[2] - 0.1, x[2] + 0.1};
      }),
      {0.0, 0.0, 0.0, 0.7},
      {.least = {-9, -9, -9, -9}, .most = {9, 9, 9, 9}});
  EXPECT_NE(fit.determined[0], fit.determined[1]);  // one of them, with the other fixed
  EXPECT_TRUE(fit.determined[2]);
  EXPECT_FALSE(fit.determined[3]);
  EXPECT_EQ(fit.x[3], 0.7);
  // Two determined by four rows, residuals of 4 x 0.1: variance 0.02, over two rows for x2.
  EXPECT_NEAR(fit.spread[2], std::sqrt(0.02 / 2.0), 1e-6);
}

TEST(LeastSquares, AsManyParametersAsRowsAreUndetermined) {
  const auto fit = least_squares(residuals_of([](const std::vector<double>& x) {
                                   return std::vector{x[0] + x[1] - 1.0, x[0] - x[1]};
                                 }),
                                 {0.0, 0.0},
                                 {.least = {-9, -9}, .most = {9, 9}});
  EXPECT_FALSE(fit.determined[0] && fit.determined[1]);
}

TEST(LeastSquares, JumpsOutOfAFlatRegion) {
  // max(1, x) fitted to 1.6, starting where it is 1.
  const auto fit = least_squares(residuals_of([](const std::vector<double>& x) {
                                   const double most = std::max(1.0, x[0]);
                                   return std::vector{most - 1.6, most - 1.6};
                                 }),
                                 {0.7},
                                 {.least = {0.0}, .most = {9.0}});
  EXPECT_NEAR(fit.x[0], 1.6, 1e-3);
}

}  // namespace
}  // namespace cairn::validate
