#include "cairn/report/chart_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace cairn::report {
namespace {

TEST(ChartJson, BarsHaveCategoriesAndPublishedValues) {
  const auto json = chart_json({.name = "fig-13",
                                .title = "Speedup",
                                .kind = ChartKind::kGroupedBars,
                                .y = {.title = "speedup (x)"},
                                .categories = {"vgg", "", "mean"},
                                .series = {{.name = "MC",
                                            .y = {2.0, std::nan(""), 3.0},
                                            .published = {std::nan(""), std::nan(""), 2.8}},
                                           {.name = "DC", .y = {1.0, std::nan(""), 1.0}}}});

  EXPECT_EQ(json["id"], "fig-13");
  EXPECT_EQ(json["kind"], "bars");
  EXPECT_EQ(json["x"]["values"], (std::vector<std::string>{"vgg", "", "mean"}));
  EXPECT_EQ(json["y"]["name"], "speedup");
  EXPECT_EQ(json["y"]["unit"], "x");
  EXPECT_EQ(json["series"][0]["values"][0], 2.0);
  EXPECT_EQ(json["series"][0]["values"][1], nullptr);
  EXPECT_EQ(json["series"][0]["published"][2], 2.8);
  EXPECT_FALSE(json["series"][1].contains("published"));
}

TEST(ChartJson, LinesShareTheirXOrHaveTheirOwn) {
  Chart chart{.name = "lines",
              .kind = ChartKind::kLines,
              .x = {.title = "devices", .log = true},
              .series = {{.name = "a", .x = {1.0, 2.0}, .y = {3.0, 4.0}},
                         {.name = "b", .x = {1.0, 2.0}, .y = {5.0, 6.0}}},
              .levels = {{.name = "capacity", .y = 7.0}}};

  const auto shared = chart_json(chart);
  chart.series[1].x = {1.0, 3.0};
  const auto own = chart_json(chart);

  EXPECT_EQ(shared["x"]["values"], (std::vector{1.0, 2.0}));
  EXPECT_EQ(shared["x"]["log"], true);
  EXPECT_FALSE(shared["series"][0].contains("x"));
  EXPECT_EQ(shared["levels"][0]["value"], 7.0);
  EXPECT_FALSE(own["x"].contains("values"));
  EXPECT_EQ(own["series"][1]["x"], (std::vector{1.0, 3.0}));
}

}  // namespace
}  // namespace cairn::report
