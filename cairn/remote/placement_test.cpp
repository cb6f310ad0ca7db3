#include "cairn/remote/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cairn::remote {
namespace {

using testing::ElementsAre;

const std::vector<NodeRoom> kHalves{{.share = 0.5, .free = 100}, {.share = 0.5, .free = 100}};

TEST(PlacePages, BandwidthAwareAlternates) {
  EXPECT_THAT(place_pages(5, PagePlacement::kBandwidthAware, kHalves), ElementsAre(0, 1, 0, 1, 0));
}

TEST(PlacePages, BandwidthAwareFollowsTheBandwidths) {
  const std::vector<NodeRoom> nodes{{.share = 0.75, .free = 100}, {.share = 0.25, .free = 100}};
  const auto placed = place_pages(80, PagePlacement::kBandwidthAware, nodes);
  EXPECT_EQ(std::ranges::count(placed, 0U), 60);
}

TEST(PlacePages, OddAllocationsBalanceOut) {
  const std::vector<NodeRoom> nodes{{.share = 0.5, .free = 99}, {.share = 0.5, .free = 100}};
  EXPECT_THAT(place_pages(1, PagePlacement::kBandwidthAware, nodes), ElementsAre(1));
}

TEST(PlacePages, BandwidthAwareSkipsAFullNode) {
  const std::vector<NodeRoom> nodes{{.share = 0.5, .free = 1}, {.share = 0.5, .free = 3}};
  EXPECT_THAT(place_pages(4, PagePlacement::kBandwidthAware, nodes), ElementsAre(1, 0, 1, 1));
}

TEST(PlacePages, LocalStaysOnOneNode) {
  EXPECT_THAT(place_pages(3, PagePlacement::kLocal, kHalves), ElementsAre(0, 0, 0));
}

TEST(PlacePages, LocalMovesToTheNextNodeAndSplitsOnlyIfNeeded) {
  const std::vector<NodeRoom> nodes{{.share = 0.5, .free = 2}, {.share = 0.5, .free = 3}};
  EXPECT_THAT(place_pages(2, PagePlacement::kLocal, nodes), ElementsAre(0, 0));
  EXPECT_THAT(place_pages(3, PagePlacement::kLocal, nodes), ElementsAre(1, 1, 1));
  EXPECT_THAT(place_pages(4, PagePlacement::kLocal, nodes), ElementsAre(0, 0, 1, 1));
}

}  // namespace
}  // namespace cairn::remote
