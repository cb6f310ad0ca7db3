#include "cairn/remote/page_table.hpp"

#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"

namespace cairn::remote {
namespace {

TEST(PageTable, ReturnsMappedFrames) {
  PageTable table;
  table.map(1, 70);
  table.map(511, 0);
  table.map(512, 3);

  EXPECT_EQ(table.frame_of(1), 70U);
  EXPECT_EQ(table.frame_of(511), 0U);
  EXPECT_EQ(table.frame_of(512), 3U);
  EXPECT_EQ(table.frame_of(2), std::nullopt);
  EXPECT_EQ(table.frame_of(1'000'000), std::nullopt);
  EXPECT_EQ(table.mapped(), 3U);
  EXPECT_EQ(table.leaves(), 2U);
}

TEST(PageTable, FreesEmptyLeaves) {
  PageTable table;
  table.map(5, 50);
  table.map(5'000, 51);

  EXPECT_EQ(table.unmap(5'000), 51U);

  EXPECT_EQ(table.leaves(), 1U);
  EXPECT_EQ(table.frame_of(5'000), std::nullopt);
  EXPECT_EQ(table.frame_of(5), 50U);
}

TEST(PageTable, RejectsMappingAPageTwice) {
  PageTable table;
  table.map(5, 50);
  EXPECT_THROW(table.map(5, 51), Bug);
  EXPECT_THROW(table.unmap(6), Bug);
}

}  // namespace
}  // namespace cairn::remote
