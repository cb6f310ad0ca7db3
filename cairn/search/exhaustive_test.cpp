#include "cairn/search/exhaustive.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "cairn/search/test_support/minimize.hpp"

namespace cairn::search {
namespace {

Space grid(double side) {
  const Axis axis{.name = "x", .kind = AxisKind::kWhole, .low = 0.0, .high = side - 1.0};
  return {.axes = {axis, axis}};
}

double least(const std::vector<Trial>& trials) {
  double best = std::numeric_limits<double>::infinity();
  for (const Trial& trial : trials) {
    best = trial.outcome.is_feasible() ? std::min(best, trial.outcome.objectives[0]) : best;
  }
  return best;
}

// An irregular function, and a bound that is valid but not tight.
RC_GTEST_PROP(Exhaustive, WithABoundFindsTheSameAsWithout, ()) {
  const auto seed = *rc::gen::inRange<std::uint32_t>(1, 1000000);
  const auto value = [&](const Point& point) {
    const auto mixed = static_cast<std::uint32_t>(point[0] * 31.0 + point[1]) * 2654435761U + seed;
    return static_cast<double>(mixed % 1000U);
  };
  const auto evaluate = [&](const Point& point) {
    return Outcome{
        .objectives = {value(point)},
        .constraint_violation = value(point) < 100.0 ? 0.5 : 0.0};  // the best are infeasible
  };
  Exhaustive all(grid(17), {});
  Exhaustive pruning(
      grid(17), {.at_once = 8}, [&](const Point& point) { return 0.7 * value(point); });

  const auto every = minimize(all, evaluate);
  const auto some = minimize(pruning, evaluate);

  RC_ASSERT(every.size() == 17U * 17U);
  RC_ASSERT(least(some) == least(every));
  RC_ASSERT(some.size() + pruning.pruned() == every.size());
  RC_ASSERT(pruning.pruned() > 0U);
}

}  // namespace
}  // namespace cairn::search
