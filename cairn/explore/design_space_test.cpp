#include "cairn/explore/design_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::explore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const DataFolders& folders() {
  static const DataFolders kFolders = DataFolders::in({CAIRN_DATA_FOLDER});
  return kFolders;
}

DesignSpace space_of(const std::string& vary) {
  const Config design =
      parse_config("{model: alexnet, device: mc-dla, platform: mc-dla-ring}", "design.yaml");
  return read_design_space(design, parse_config(vary, "search.yaml"), folders());
}

std::string complaint(const std::string& vary) {
  try {
    space_of(vary);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(DesignSpace, WritesPointsAsSettings) {
  const DesignSpace designs = space_of(
      "{strategy.batch: {from: 64, to: 512, whole: true, scale: log},"
      " device.memory.bandwidth: {from: 500 GB/s, to: 2000 GB/s},"
      " endpoint: [ideal, cores]}");

  EXPECT_THAT(
      designs.settings({128, 900, 1}),
      ElementsAre("strategy.batch=128", "device.memory.bandwidth=900 GB/s", "endpoint=cores"));
  const Config written = designs.config(designs.settings({128, 900, 1}), folders());
  EXPECT_EQ(to_text(*written.find("endpoint")), "cores");
  EXPECT_EQ(to_text(*written.find("device")->find("memory")->find("bandwidth")), "900 GB/s");
}

TEST(DesignSpace, OmitsAxesWhoseConditionDoesNotHold) {
  const DesignSpace designs = space_of(
      "{memory.offload: [none, everything],"
      " memory.window: {from: 1, to: 4, whole: true, when: {memory.offload: everything}}}");

  EXPECT_THAT(designs.settings({0, 3}), ElementsAre("memory.offload=none"));
  EXPECT_THAT(designs.settings({1, 3}),
              ElementsAre("memory.offload=everything", "memory.window=3"));
  EXPECT_EQ(designs.config(designs.settings({0, 3}), folders()).find("memory")->find("window"),
            nullptr);
}

TEST(DesignSpace, SpreadHasAllStrategiesOfThePlatform) {
  const DesignSpace designs = space_of("{strategy.spread: {spread: [data, model], stages: [1]}}");

  EXPECT_EQ(designs.space.size(), 4);  // of 8 devices: d8, model-2-d4, model-4-d2, model-8-d1
}

// Of 8 devices: d8, model-2-d4, model-4-d2, model-8-d1; of 4: d4, model-2-d2, model-4-d1.
TEST(DesignSpace, SpreadFitsEachPlatform) {
  const DesignSpace designs = space_of(
      "{platform: ['ring:8@25GB/s,500ns', 'switch:4@25GB/s,500ns', 'switch:8@25GB/s,500ns'],"
      " strategy.spread: {spread: [data, model], stages: [1]}}");

  EXPECT_EQ(designs.space.size(), 4 + 3 + 4);
  for (const search::Point& point : designs.space.all_points()) {
    EXPECT_TRUE(read_design(designs.config(designs.settings(point), folders()), folders()));
  }
}

TEST(DesignSpace, SpreadUsesTheTrainingDevices) {
  EXPECT_EQ(space_of("{strategy.devices: [2, 8], strategy.spread: {spread: [data], stages: [1]}}")
                .space.size(),
            2);
}

TEST(DesignSpace, AcceptsRangesInAnyUnitOfADimension) {
  const DesignSpace designs = space_of(
      "{strategy.bucket: {from: 0 B, to: 100 MB}, kernels.a: {from: 1 MB, to: 1 GB},"
      " kernels.b: {from: 1 KiB, to: 1 MiB, whole: true}}");

  const auto& axes = designs.space.axes;
  EXPECT_EQ(axes[0].low, 0.0);
  EXPECT_EQ(axes[0].high, 100.0);
  EXPECT_EQ(axes[1].low, 1.0);
  EXPECT_EQ(axes[1].high, 1000.0);
  EXPECT_EQ(axes[2].high, 1024.0);
  EXPECT_EQ(designs.value_text(0, {50.0, 1.0, 1.0}), "50 MB");
}

TEST(DesignSpace, ConditionsCompareNumbersNotText) {
  const DesignSpace designs = space_of(
      "{strategy.batch: [8, 16], kernels.a: {from: 1 MB, to: 2 GB},"
      " kernels.b: {values: [1], when: {strategy.batch: 16.0}},"
      " kernels.c: {values: [1], when: {kernels.a: 1 GB}}}");

  EXPECT_THAT(designs.space.axes[2].condition->values, ElementsAre(1.0));
  EXPECT_THAT(designs.space.axes[3].condition->values, ElementsAre(1000.0));
}

TEST(DesignSpace, RefusesConditionsThatNeverHold) {
  const auto when = [](const std::string& value) {
    return complaint("{a: {from: 1 MB, to: 100 MB}, b: {values: [1], when: {a: " + value + "}}}");
  };
  EXPECT_EQ(when("50 MB"), "none");
  EXPECT_THAT(when("5 GB"), HasSubstr("b.when.a: \"5 GB\" is not among the values of a"));
  EXPECT_THAT(when("5"), HasSubstr("b.when.a: \"5\" cannot be converted to \"MB\""));
  EXPECT_THAT(complaint("{a: {from: 1, to: 9, whole: true}, b: {values: [1], when: {a: 2.5}}}"),
              HasSubstr("\"2.5\" is not among"));
}

TEST(DesignSpace, SharesBudgetsByName) {
  const DesignSpace designs = space_of(
      "{kernels.a: {from: 0, to: 1, budget: area}, strategy.batch: [1, 2],"
      " kernels.b: {from: 0, to: 1, budget: area}}");

  EXPECT_THAT(designs.space.budgets, ElementsAre(ElementsAre(0U, 2U)));
}

TEST(DesignSpace, ErrorsNameThePlace) {
  EXPECT_THAT(complaint("{}"), HasSubstr("search.yaml:1: nothing varies"));
  EXPECT_THAT(complaint("{a: []}"), HasSubstr("a: a list has no values"));
  EXPECT_THAT(complaint("{a: {from: 2, to: 1}}"),
              HasSubstr("a.from: \"2\" is greater than `to`, \"1\""));
  EXPECT_THAT(complaint("{a: {from: 1 GB, to: 2 MB}}"),
              HasSubstr("\"1 GB\" is greater than `to`, \"2 MB\""));
  EXPECT_THAT(complaint("{a: {from: 1 GB, to: 2 GB/s}}"),
              HasSubstr("a.to: \"2 GB/s\" cannot be converted"));
  EXPECT_THAT(complaint("{a: {from: 1, to: 2 GB}}"), HasSubstr("a.to: \"2 GB\" has a unit"));
  EXPECT_THAT(complaint("{a: [1 GB, 1000 MB]}"), HasSubstr("a[1]: \"1000 MB\" is given twice"));
  EXPECT_THAT(complaint("{a: {from: x, to: 1}}"), HasSubstr("is not a number"));
  EXPECT_THAT(complaint("{a: {from: 0, to: 1, scale: log}}"), HasSubstr("must be greater than 0"));
  EXPECT_THAT(complaint("{a: {from: 1, to: 2, budget: b}}"), HasSubstr("part of a budget"));
  EXPECT_THAT(complaint("{a: {to: 2}}"), HasSubstr("neither"));
  EXPECT_THAT(complaint("{a: {values: [1], when: {b: 2}}}"), HasSubstr("does not vary"));
  EXPECT_THAT(complaint("{strategy.spread: {spread: [data]}, strategy.devices: [2, 8]}"),
              HasSubstr("which varies further down"));
}

}  // namespace
}  // namespace cairn::explore
