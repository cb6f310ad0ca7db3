#include "cairn/explore/spreads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::explore {
namespace {

using plan::Parallelism;
using testing::ElementsAre;

TEST(AllSpreads, OfEightDevicesByRowsAndColumnsAreAllWaysToWriteEightAsThreeFactors) {
  const auto all = all_spreads(8, {Parallelism::kRowColumn}, {1});

  // 2^3 over three axes: (3 + 2 choose 2).
  EXPECT_EQ(all.size(), 10U);
}

TEST(AllSpreads, SayEachOnce) {
  EXPECT_THAT(all_spreads(4, {Parallelism::kData, Parallelism::kColumnRow}, {1, 2}),
              ElementsAre("d4-p1", "CR-2-d2-p1", "CR-4-d1-p1", "d2-p2", "CR-2-d1-p2"));
}

TEST(AllSpreads, OfAnyNumberOfStagesAreAllSplits) {
  EXPECT_THAT(
      all_spreads(4, {Parallelism::kTensor}, {}),
      ElementsAre("d4-p1", "tensor-2-d2-p1", "tensor-4-d1-p1", "d2-p2", "tensor-2-d1-p2", "d1-p4"));
}

TEST(AllSpreads, LeaveOutStagesThatDoNotDivide) {
  EXPECT_THAT(all_spreads(6, {Parallelism::kData}, {1, 4}), ElementsAre("d6-p1"));
}

}  // namespace
}  // namespace cairn::explore
