#include "cairn/base/figure.hpp"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Figure, SplitsANumberFromItsUnit) {
  const auto bandwidth = figure_in("25 GB/s");
  ASSERT_TRUE(bandwidth);
  EXPECT_EQ(bandwidth->number, 25.0);
  EXPECT_EQ(bandwidth->unit, "GB/s");
  EXPECT_EQ(figure_in("1e-3")->number, 1e-3);
  EXPECT_EQ(figure_in("1e-3")->unit, "");
  EXPECT_EQ(figure_in("32KiB")->unit, "KiB");
}

TEST(Figure, RejectsTextWithoutANumber) {
  EXPECT_FALSE(figure_in(""));
  EXPECT_FALSE(figure_in("best"));
}

TEST(Figure, RoundTripsThroughText) {
  EXPECT_EQ(to_text(*figure_in("900 GB/s")), "900 GB/s");
  EXPECT_EQ(to_text(*figure_in("0.25")), "0.25");
}

}  // namespace
}  // namespace cairn
