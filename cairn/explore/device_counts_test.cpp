#include "cairn/explore/device_counts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::explore {
namespace {

using testing::HasSubstr;

// "[10 GB/s, 20 GB/s, ...]".
std::string list(int count, const char* unit) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text += fmt::format("{}{}{}", i == 1 ? "" : ", ", 10 * i, unit);
  }
  return "[" + text + "]";
}

DeviceCounts counts(const std::string& vary) {
  static const DataFolders kFolders = DataFolders::in({CAIRN_DATA_FOLDER});
  const Config design = parse_config(
      "{model: alexnet, device: mc-dla, platform: {topology: switch, devices: 8, bandwidth: 100 "
      "GB/s, latency: 2 us}}",
      "design.yaml");
  const Config where = parse_config("{}", "search.yaml");
  return device_counts(
      read_design_space(design, parse_config("{" + vary + "}", "search.yaml"), kFolders),
      kFolders,
      where);
}

TEST(DeviceCounts, DoNotDependOnValuesWithUnits) {
  const DeviceCounts found =
      counts("platform.bandwidth: " + list(69, " GB/s") + ", platform.latency: " + list(69, " us"));

  EXPECT_TRUE(found.axes.empty());
  ASSERT_EQ(found.by_values.size(), 1U);
  EXPECT_EQ(found.by_values.begin()->second, 8U);
}

TEST(DeviceCounts, DifferByPlatform) {
  const DeviceCounts found =
      counts("platform.bandwidth: " + list(69, " GB/s") + ", platform.devices: [4, 16]");

  EXPECT_EQ(found.axes, (std::vector<std::size_t>{1}));
  EXPECT_EQ(found.by_values, (std::map<search::Point, std::uint32_t>{{{0.0}, 4}, {{1.0}, 16}}));
}

TEST(DeviceCounts, TooManyPlatformsAreRejected) {
  const auto count = [] { counts("strategy.devices: {from: 1, to: 5000, whole: true}"); };
  try {
    count();
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("search.yaml:1: a map covers more than 4096 platforms"));
  }
}

}  // namespace
}  // namespace cairn::explore
