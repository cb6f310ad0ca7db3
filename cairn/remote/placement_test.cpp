#include "cairn/remote/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cairn::remote {
namespace {

using testing::ElementsAre;

const std::vector<NodeRoom> kHalves{{.share = 0.5, .free = 100}, {.share = 0.5, .free = 100}};

TEST(PlacePages, BandwidthAwareTakesTurns) {
  EXPECT_THAT(place_pages(5, Placement::kBandwidthAware, kHalves), ElementsAre(0, 1, 0, 1, 0));
}

TEST(PlacePages, BandwidthAwareFollowsTheBandwidths) {
  const std::vector<NodeRoom> nodes{{.share = 0.75, .free = 100}, {.share = 0.25, .free = 100}};
  const auto placed = place_pages(80, Placement::kBandwidthAware, nodes);
  EXPECT_EQ(std::ranges::count(placed, 0U), 60);
}

TEST(PlacePages, OddAllocationsDoNotLeanToOneSide) {
  const std::vector<NodeRoom> nodes{{.share = 0.5, .free = 99}, {.share = 0.5, .free = 100}};
  EXPECT_THAT(place_pages(1, Placement::kBandwidthAware, nodes), ElementsAre(1));
}

TEST(PlacePages, BandwidthAwarePassesOverAFullNode) {
  const std::vector<NodeRoom> nodes{{.share = 0.5, .free = 1}, {.share = 0.5, .free = 3}};
  EXPECT_THAT(place_pages(4, Placement::kBandwidthAware, nodes), ElementsAre(1, 0, 1, 1));
}

TEST(PlacePages, LocalStaysOnOneNode) {
  EXPECT_THAT(place_pages(3, Placement::kLocal, kHalves), ElementsAre(0, 0, 0));
}

TEST(PlacePages, LocalGoesToTheNextNodeAsAWholeAndIsSplitOnlyIfItMust) {
  const std::vector<NodeRoom> nodes{{.share = 0.5, .free = 2}, {.share = 0.5, .free = 3}};
  EXPECT_THAT(place_pages(2, Placement::kLocal, nodes), ElementsAre(0, 0));
  EXPECT_THAT(place_pages(3, Placement::kLocal, nodes), ElementsAre(1, 1, 1));
  EXPECT_THAT(place_pages(4, Placement::kLocal, nodes), ElementsAre(0, 0, 1, 1));
}

}  // namespace
}  // namespace cairn::remote
