#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cairn/study/deepflow.hpp"
#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

using testing::HasSubstr;

StudyResult intensity(const Settings& settings = {}) {
  return run_shipped("deepflow-intensity", settings);
}

const StudyResult& the_intensity() {
  static const StudyResult kResult = intensity();
  return kResult;
}

// For a x b outputs, c terms per sum, and every byte transferred once, the intensity is
// 2 abc / (2 B (ac + bc + ab)). No tiling exceeds it; at 65,536 devices shards are so narrow that
// the best tiling of each strategy reaches it.
TEST(DeepFlowIntensity, BestTilingOfAShardTransfersEveryByteOnce) {
  constexpr double kSide = 65536.0;
  const report::Chart& chart = the_intensity().charts[1];

  ASSERT_EQ(chart.categories.size(), 18U);  // RC by each power of two up to 2^16, and CR
  const auto expected = [](double a, double b, double c) {
    return a * b * c / (a * c + b * c + a * b);
  };
  for (std::size_t i = 0; i < 17; ++i) {
    const double k1 = std::exp2(i);
    EXPECT_EQ(chart.categories[i], fmt::format("RC-{}-{}", k1, kSide / k1));
    const double most = expected(kSide / k1, k1, kSide);
    EXPECT_NEAR(chart.series[0].boxes[i].most, most, 1e-9 * most) << chart.categories[i];
  }
  EXPECT_EQ(chart.categories[17], "CR-65536");
  EXPECT_NEAR(chart.series[0].boxes[17].most, expected(kSide, kSide, 1.0), 1e-9);
}

// A shard is never larger than the whole GEMM, so no tiling of it has a higher intensity.
TEST(DeepFlowIntensity, NeverGrowsWithTheDeviceCount) {
  const std::vector<report::Box>& boxes = the_intensity().charts[0].series[0].boxes;

  ASSERT_EQ(boxes.size(), 9U);
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    EXPECT_LE(boxes[i].most, boxes[i - 1].most * (1.0 + 1e-9));
    EXPECT_LT(boxes[i].median, boxes[i - 1].median);
  }
}

TEST(DeepFlowIntensity, ReproducesSection2) {
  for (const Claim& claim : the_intensity().claims) {
    EXPECT_EQ(claim.ours, 1.0) << claim.what << ": " << claim.moved_by;
  }
}

// The same device count twice: neither wider nor larger, and strategies do not differ.
TEST(DeepFlowIntensity, StatementsFailOnOneDevice) {
  const Findings findings = intensity({"devices=[1, 1]"}).findings;

  for (const char* what :
       {"wider_on_few", "wider_ratio_on_few", "smaller_on_many", "strategies_differ"}) {
    EXPECT_EQ(findings.at(what), 0.0) << what;
  }
}

TEST(DeepFlowIntensity, RejectsInvalidSettings) {
  EXPECT_THAT(complaint(intensity, {"devices=[]"}), HasSubstr("devices: a list has no items"));
  EXPECT_THAT(complaint(intensity, {"devices=[0]"}), HasSubstr("devices[0]"));
  EXPECT_THAT(complaint(intensity, {"m=0.5"}), HasSubstr("m: "));
  EXPECT_THAT(complaint(intensity, {"m=1e30"}), HasSubstr("m: "));
  EXPECT_THAT(complaint(intensity, {"node=6 nm"}), HasSubstr("6 nm"));
  EXPECT_THAT(complaint(intensity, {"assumptions.precision.value=bf16"}),
              HasSubstr("assumptions.precision.value: v100 does not compute in bf16"));
}

TEST(DeepFlowIntensity, RejectsMoreDevicesThanWork) {
  EXPECT_THROW(intensity({"m=1", "n=2", "k=3", "devices=[8]"}), ConfigError);
}

}  // namespace
}  // namespace cairn::study
