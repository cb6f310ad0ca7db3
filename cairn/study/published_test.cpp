#include "cairn/study/published.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::study {
namespace {

StudyResult made() {
  return {.claims = {{.quantity = "speed.b", .published = 2.5},
                     {.quantity = "speed.at_4", .published = 3.5},
                     {.quantity = "mean", .published = 2.0},
                     {.quantity = "asked"}},
          .charts = {{.name = "bars",
                      .kind = report::ChartKind::kGroupedBars,
                      .categories = {"a", "b"},
                      .series = {{.name = "ours", .y = {1.0, 2.0}}}},
                     {.name = "lines", .series = {{.name = "ours", .x = {2, 4}, .y = {1, 3}}}}}};
}

TEST(Published, IsMarkedAtItsCategoryOrX) {
  StudyResult result = made();

  mark_published(result, {{"bars", "ours", "b", "speed.b"}, {"lines", "ours", "4", "speed.at_4"}});

  const std::vector<double>& bars = result.charts[0].series[0].published;
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_TRUE(std::isnan(bars[0]));
  EXPECT_EQ(bars[1], 2.5);
  EXPECT_EQ(result.charts[1].series[0].published[1], 3.5);
}

TEST(Published, WithoutASeriesIsAHorizontalLine) {
  StudyResult result = made();

  mark_published(result, {{"bars", "", "mean, published", "mean"}});

  ASSERT_EQ(result.charts[0].levels.size(), 1U);
  EXPECT_EQ(result.charts[0].levels[0].name, "mean, published");
  EXPECT_EQ(result.charts[0].levels[0].y, 2.0);
}

// A claim without a number, an unknown claim, and points that the figures do not have.
TEST(Published, IsIgnoredWithoutAClaimOrAPoint) {
  StudyResult result = made();

  mark_published(result,
                 {{"bars", "ours", "a", "asked"},
                  {"bars", "ours", "a", "unknown"},
                  {"bars", "ours", "c", "speed.b"},
                  {"bars", "theirs", "b", "speed.b"},
                  {"boxes", "ours", "b", "speed.b"}});

  EXPECT_TRUE(result.charts[0].series[0].published.empty());
}

}  // namespace
}  // namespace cairn::study
