#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/chip/generate.hpp"
#include "cairn/study/chip_shares.hpp"
#include "cairn/study/test_support/deepflow.hpp"

namespace cairn::study {
namespace {

using testing::HasSubstr;

StudyResult parallelism(const Settings& settings) {
  return run_shipped("deepflow-parallelism", settings);
}

// 64 devices, and few steps of the search.
Settings small(const Settings& more = {}) {
  Settings settings{"devices=64",
                    "nodes=[12 nm, 10 nm, 3 nm]",
                    "chip_search={steps: 3, rounds: 1}",
                    "models={hidden: [16384], batch: [8192, 16384]}"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const StudyResult& the_small() {
  static const StudyResult kResult = parallelism(small());
  return kResult;
}

double finding(const StudyResult& result, const std::string& name) {
  return result.findings.at(name);
}

// Each search includes the previous one.
TEST(DeepFlowParallelism, LargerSearchIsNeverSlower) {
  EXPECT_TRUE(has_unique_names(the_small()));
  for (const std::string node : {"n12", "n3"}) {
    EXPECT_LE(finding(the_small(), "time.parallelism." + node),
              finding(the_small(), "time.naive." + node));
    EXPECT_LE(finding(the_small(), "time.architecture." + node),
              finding(the_small(), "time.parallelism." + node));
    EXPECT_LE(finding(the_small(), "time.model." + node),
              finding(the_small(), "time.architecture." + node));
  }
}

// Data parallelism and the best strategy on the chip of Fig. 9 take the same time as in the other
// studies of this model.
TEST(DeepFlowParallelism, AgreesWithTheOtherStudies) {
  const Settings only_strategies{"nodes=[12 nm]",
                                 "chip_search={steps: 1, rounds: 1}",
                                 "models={hidden: [16384], batch: [16384]}"};
  const StudyResult result = parallelism(only_strategies);
  const StudyResult other = run_shipped(
      "deepflow-strategies",
      {"variations=[]",
       "rankings=[{name: \"512\", devices: 512, network: 100 GB/s}]",
       "assumptions.settings.value=[chip_area=850 mm2, package_area=1265 mm2, power=300 W]",
       "claims=[]"});
  EXPECT_EQ(finding(result, "time.naive.n12"), finding(other, "data.512"));
  EXPECT_EQ(finding(result, "time.parallelism.n12"), finding(other, "best.512"));
}

// The paper's scaling law has no 10 nm.
TEST(DeepFlowParallelism, SkipsNodesMissingFromTheScalingLaw) {
  EXPECT_FALSE(the_small().findings.contains("time.naive.n10"));
  EXPECT_EQ(claim_of(the_small(), "1b").verdict(), Verdict::kAbsent);
  const StudyResult sweeps =
      parallelism(small({"assumptions.scaling.value=crossflow-sweeps", "nodes=[10 nm]"}));
  EXPECT_GT(finding(sweeps, "parallelism_gain.n10"), 1.0);
}

// With twice the samples, gradient all-reduces take as long: per sample, and so per
// multiply-accumulate, a step is faster.
TEST(DeepFlowParallelism, ComparesModelsForTheSameWork) {
  EXPECT_EQ(finding(the_small(), "model_gain.n12"), 1.0);  // 8,192 samples are no better
  const StudyResult more =
      parallelism(small({"nodes=[12 nm]", "models={hidden: [16384], batch: [32768]}"}));
  EXPECT_GT(finding(more, "model_gain.n12"), 1.0);
  EXPECT_LT(finding(more, "model_gain.n12"), 2.0);
}

TEST(DeepFlowParallelism, SearchesTheChipsLinks) {
  const StudyResult result = parallelism(small({"nodes=[12 nm]", "assumptions.links.value=chip"}));
  // A V100's shares give 48 GB/s instead of 100.
  EXPECT_GT(finding(result, "time.naive.n12"), finding(the_small(), "time.naive.n12"));
  EXPECT_GT(finding(result, "architecture_gain.n12"), 1.0);
}

TEST(DeepFlowParallelism, RejectsInvalidSettings) {
  const auto refused = [](const char* setting, const char* why) {
    EXPECT_THAT(complaint(parallelism, small({setting})), HasSubstr(why)) << setting;
  };
  refused("nodes=[]", "nodes: a list has no items");
  refused("nodes=[6 nm]", "has none of the listed logic nodes");
  refused("models.hidden=[]", "models.hidden: a list has no items");
  refused("chip_search.steps=0", "chip_search.steps");
  refused("assumptions.links.value=wires", "assumptions.links.value");
  refused("assumptions.batch.value=32", "assumptions.batch.value");
}

// Unchanged shares give the same chip; changing one share changes one number.
TEST(ChipShares, MatchTheTemplate) {
  const DataFolders folders = DataFolders::in({data_folder()});
  const chip::Template design = template_at(DeepFlowAssumptions{}, "12 nm", folders);
  const ChipShares shares(design, true);
  search::Point point = shares.start();
  EXPECT_EQ(chip::generate(shares.at(point))->core.mcus, chip::generate(design)->core.mcus);
  EXPECT_EQ(point.size(), 2U * 6U + 2U);
  EXPECT_EQ(shares.space().normal(point), point);

  ASSERT_EQ(shares.space().axes[0].name, "core.area");
  point[0] *= 0.5;
  EXPECT_EQ(shares.at(point).core.shares.area, 0.5 * design.core.shares.area);
  EXPECT_EQ(shares.at(point).core.shares.power, design.core.shares.power);
}

}  // namespace
}  // namespace cairn::study
