#include "cairn/search/project.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <vector>

namespace cairn::search {
namespace {

std::vector<double> projected(std::vector<double> parts) {
  project_onto_budget(parts);
  return parts;
}

TEST(Project, KeepsAPointWithinTheBudget) {
  EXPECT_EQ(projected({0.2, 0.3}), (std::vector<double>{0.2, 0.3}));
}

TEST(Project, SubtractsTheSameFromAllPositiveParts) {
  const auto parts = projected({0.9, 0.5, 0.05});

  // 1.45 are 0.45 too much; a third of that each would leave the last negative.
  EXPECT_NEAR(parts[0], 0.9 - 0.2, 1e-12);
  EXPECT_NEAR(parts[1], 0.5 - 0.2, 1e-12);
  EXPECT_EQ(parts[2], 0.0);
}

// No point of the budget is nearer: (p - projected) . (q - projected) <= 0 for every q in it.
RC_GTEST_PROP(Project, ReturnsTheNearestPoint, ()) {
  const auto values = [](int low) {
    std::vector<double> result;
    for (const int value : *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(low, 200))) {
      result.push_back(value / 100.0);
    }
    return result;
  };
  const auto point = values(-200);
  auto other = values(0);
  const double sum = std::accumulate(other.begin(), other.end(), 0.0);
  for (double& part : other) {
    part /= sum > 1.0 ? sum : 1.0;
  }

  const auto nearest = projected(point);

  double product = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    RC_ASSERT(nearest[i] >= 0.0);
    total += nearest[i];
    product += (point[i] - nearest[i]) * (other[i] - nearest[i]);
  }
  RC_ASSERT(total <= 1.0 + 1e-12);
  RC_ASSERT(product <= 1e-9);
}

}  // namespace
}  // namespace cairn::search
