#include "cairn/explore/sensitivity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/explore/sensitivity_document.hpp"
#include "cairn/report/document_text.hpp"

namespace cairn::explore {
namespace {

using testing::HasSubstr;
using testing::Not;

const DataFolders& folders() {
  static const DataFolders kFolders = DataFolders::in({CAIRN_DATA_FOLDER});
  return kFolders;
}

Config design(const std::string& platform) {
  return parse_config(
      "{model: alexnet, device: v100-array, platform: '" + platform + "', strategy: {batch: 256}}",
      "test");
}

const Effect* find(const Sensitivity& found, const std::string& key) {
  const auto effect =
      std::ranges::find(found.effects, key, [](const Effect& e) { return e.parameter.key; });
  return effect == found.effects.end() ? nullptr : &*effect;
}

TEST(Parameters, AreTheNumbersOfDevicePlatformAndTechnologies) {
  const auto of_device = parameters_of(design("switch:4@25GB/s,1us"), folders());
  const auto has = [](const std::vector<DesignValue>& all, const std::string& key) {
    return std::ranges::find(all, key, &DesignValue::key) != all.end();
  };
  EXPECT_TRUE(has(of_device, "device.memory.bandwidth"));
  EXPECT_TRUE(has(of_device, "platform.bandwidth"));
  EXPECT_TRUE(has(of_device, "platform.latency"));

  const Config generated = parse_config(
      "{model: vgg-e, device: {template: v100}, platform: 'switch:4@25GB/s,1us'}", "test");
  const auto of_chip = parameters_of(generated, folders());
  EXPECT_TRUE(has(of_chip, "device.template.power"));
  EXPECT_TRUE(has(of_chip, "device.template.core.technology.area"));
}

// T = n l + c / f + s / B: elasticities of a step of sequential parts are the parts' fractions.
TEST(Sensitivity, OfTheOnlyBottleneckIsOne) {
  const Config slow_links = design("switch:4@1MB/s");
  const auto found =
      sensitivity(slow_links, parameters_of(slow_links, folders()), folders(), {.threads = 1});
  ASSERT_TRUE(found);
  const Effect* bandwidth = find(*found, "platform.bandwidth");
  ASSERT_NE(bandwidth, nullptr);
  EXPECT_NEAR(bandwidth->elasticity, -1.0, 0.01);
  EXPECT_EQ(bandwidth->relieves, "communication");
  EXPECT_EQ(found->effects.front().parameter.key, "platform.bandwidth");
}

TEST(Sensitivity, OfALargeChangeIsTheRatioOfStepTimes) {
  const Config slow_links = design("switch:4@1MB/s");
  const std::vector<DesignValue> one{{"platform.bandwidth", "1 MB/s"}};
  const auto found =
      sensitivity(slow_links, one, folders(), {.factor = 2.0, .one_way = true, .threads = 1});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->effects.size(), 1U);
  EXPECT_NEAR(found->effects.front().ratio, 0.5, 0.01);
  EXPECT_EQ(found->effects.front().changed_to, "2 MB/s");
}

// If increase and decrease make steps equally longer, the elasticity is 0. Effects printed as
// 0.000 % are not listed, whatever the elasticity.
TEST(SensitivityDocument, ListsAllNumbersWithAnEffect) {
  const Sensitivity found{
      .step_time = Seconds(1.0),
      .bound = {explain::BoundKind::kCompute, "compute"},
      .effects = {
          {.parameter = {"both.ways", "16384"}, .elasticity = 0.0, .ratio = 1.1, .less_ratio = 1.1},
          {.parameter = {"only.less", "1 GB/s"},
           .elasticity = -0.5,
           .ratio = 1.0,
           .less_ratio = 1.01},
          {.parameter = {"too.small", "3 us"}, .elasticity = 4e-4, .ratio = 1.000004}}};
  const std::string text = report::text_of(document_of("mine", found, {}));

  EXPECT_TRUE(text.starts_with("mine: sensitivity of the step time\n\n"));
  EXPECT_THAT(text, HasSubstr("both.ways   16384  +10.000 %  +10.000 %"));
  EXPECT_THAT(text, HasSubstr("only.less"));
  EXPECT_THAT(text, Not(HasSubstr("too.small")));
  EXPECT_THAT(text, HasSubstr("1 other parameter changes the step time by less than 0.001 %"));
}

TEST(Sensitivity, ListsParametersThatCannotChange) {
  const Config config = design("switch:4@1GB/s");
  const std::vector<DesignValue> devices{{"platform.devices", "4"}};
  const auto found = sensitivity(config, devices, folders(), {.threads = 1});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->effects.empty());
  ASSERT_EQ(found->cannot_change.size(), 1U);
}

}  // namespace
}  // namespace cairn::explore
