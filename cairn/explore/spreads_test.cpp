#include "cairn/explore/spreads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::explore {
namespace {

using plan::Parallelism;
using testing::ElementsAre;

TEST(AllSpreads, OfEightDevicesAreAllFactorizationsIntoThreeAxes) {
  const auto all = all_spreads(8, {Parallelism::kRowColumn}, {1});

  // 2^3 over three axes: (3 + 2 choose 2).
  EXPECT_EQ(all.size(), 10U);
}

TEST(AllSpreads, ListEachStrategyOnce) {
  EXPECT_THAT(all_spreads(4, {Parallelism::kData, Parallelism::kColumnRow}, {1, 2}),
              ElementsAre("d4-p1", "CR-2-d2-p1", "CR-4-d1-p1", "d2-p2", "CR-2-d1-p2"));
}

TEST(AllSpreads, WithoutStagesIncludeAllNumbersOfStages) {
  EXPECT_THAT(
      all_spreads(4, {Parallelism::kTensor}, {}),
      ElementsAre("d4-p1", "tensor-2-d2-p1", "tensor-4-d1-p1", "d2-p2", "tensor-2-d1-p2", "d1-p4"));
}

TEST(AllSpreads, OmitStagesThatDoNotDivide) {
  EXPECT_THAT(all_spreads(6, {Parallelism::kData}, {1, 4}), ElementsAre("d6-p1"));
}

// Of 8 devices: d8, model-2-d4, model-4-d2, model-8-d1.
TEST(SpreadChoices, OfOneDeviceCountAreNotRestricted) {
  const DeviceCounts counts{.axes = {1}, .by_values = {{{0.0}, 8}, {{1.0}, 8}}};

  const SpreadChoices found = spread_choices(counts, {Parallelism::kModel}, {1});

  EXPECT_EQ(found.strategies.size(), 4U);
  EXPECT_FALSE(found.restriction);
}

// Of 4 devices: choices 0 and 1; of 2 devices: choice 2.
TEST(SpreadChoices, FitEachPlatform) {
  const DeviceCounts counts{.axes = {3}, .by_values = {{{0.0}, 4}, {{1.0}, 2}, {{2.0}, 4}}};

  const SpreadChoices found = spread_choices(counts, {Parallelism::kData}, {1, 4});

  EXPECT_THAT(found.strategies, ElementsAre("d4-p1", "d1-p4", "d2-p1"));
  ASSERT_TRUE(found.restriction);
  EXPECT_THAT(found.restriction->axes, ElementsAre(3U));
  const std::map<search::Point, std::vector<double>> expected{
      {{0.0}, {0.0, 1.0}}, {{1.0}, {2.0}}, {{2.0}, {0.0, 1.0}}};
  EXPECT_EQ(found.restriction->choices, expected);
}

}  // namespace
}  // namespace cairn::explore
