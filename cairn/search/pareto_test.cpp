#include "cairn/search/pareto.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace cairn::search {
namespace {

TEST(ParetoFront, WithOneObjectiveIsTheBestFeasibleTrial) {
  const std::vector<Trial> trials{{{0}, {{3.0}}}, {{1}, {{1.0}, 0.2}}, {{2}, {{2.0}}}};

  EXPECT_EQ(pareto_front(trials), (std::vector<std::size_t>{2}));
}

RC_GTEST_PROP(ParetoFront, ContainsExactlyTheNonDominatedTrials, ()) {
  std::vector<Trial> trials;
  const auto count = *rc::gen::inRange<std::size_t>(0, 40);
  for (std::size_t i = 0; i < count; ++i) {
    const auto objective = [] { return static_cast<double>(*rc::gen::inRange(0, 8)); };
    trials.push_back({{}, {{objective(), objective()}, *rc::gen::element(0.0, 0.0, 0.5)}});
  }

  const auto front = pareto_front(trials);

  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Outcome& outcome = trials[i].outcome;
    const bool dominated = std::ranges::any_of(
        trials, [&](const Trial& other) { return dominates(other.outcome, outcome); });
    const bool there = std::ranges::any_of(front, [&](std::size_t member) {
      return trials[member].outcome.objectives == outcome.objectives;
    });
    RC_ASSERT(!outcome.is_feasible() || there == !dominated);
  }
}

}  // namespace
}  // namespace cairn::search
