#include "cairn/comm/layout.hpp"

#include <gtest/gtest.h>

#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

using platform::read_platform;

TEST(GroupLayout, AllDevicesFormThePlatformsGridWithoutDimensionsOfWidthOne) {
  const auto torus = read_platform("torus:4x1x3@25GB/s", {});

  const GroupLayout layout = make_group_layout(torus, {});

  EXPECT_TRUE(layout.whole);
  ASSERT_EQ(layout.grid.size(), 2U);
  EXPECT_EQ(layout.grid[1].platform_dim, 2U);
  EXPECT_EQ(layout.along(0, 1, 1), 4U);
  EXPECT_EQ(layout.along(0, 1, 2), 8U);
  EXPECT_EQ(layout.along(3, 0, 1), 0U);
}

TEST(GroupLayout, ListingAllDevicesInOrderIsTheWholePlatform) {
  const auto ring = read_platform("ring:3@25GB/s", {});

  EXPECT_TRUE(make_group_layout(ring, {0, 1, 2}).whole);
  EXPECT_FALSE(make_group_layout(ring, {0, 2, 1}).whole);
}

TEST(GroupLayout, RecognisesASubGrid) {
  const auto torus = read_platform("torus:4x4@25GB/s", {});

  // Columns 1 and 2 of all rows; position = column + 2 * row.
  const GroupLayout layout = make_group_layout(torus, {1, 2, 5, 6, 9, 10, 13, 14});

  ASSERT_EQ(layout.grid.size(), 2U);
  EXPECT_EQ(layout.grid[0].width, 2U);
  EXPECT_FALSE(layout.grid[0].complete);
  EXPECT_EQ(layout.grid[1].width, 4U);
  EXPECT_TRUE(layout.grid[1].complete);
  EXPECT_EQ(layout.device(layout.along(7, 1, 1)), 2U);
}

TEST(GroupLayout, AnyOtherGroupIsALine) {
  const auto torus = read_platform("torus:4x4@25GB/s", {});

  for (const auto& group : {std::vector<std::uint32_t>{0, 1, 5}, {5, 4, 1, 0}, {15, 2}}) {
    const GroupLayout layout = make_group_layout(torus, group);

    ASSERT_EQ(layout.grid.size(), 1U);
    EXPECT_EQ(layout.grid[0].width, group.size());
    EXPECT_FALSE(layout.grid[0].complete);
    EXPECT_EQ(layout.device(0), group[0]);
  }
}

TEST(GroupLayout, ShiftsByCoordinates) {
  const auto torus = read_platform("torus:3x4@25GB/s", {});
  const GroupLayout layout = make_group_layout(torus, {});

  // (2, 3) + (1, 2) = (0, 1)
  EXPECT_EQ(layout.shifted(2 + 3 * 3, 1 + 3 * 2), 0U + 3U * 1U);
  for (std::uint32_t p = 0; p < 12; ++p) {
    EXPECT_EQ(layout.shifted(p, 0), p);
    EXPECT_EQ(layout.shifted(0, p), p);
  }
}

}  // namespace
}  // namespace cairn::comm
