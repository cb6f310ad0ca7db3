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

StudyResult strategies(const Settings& settings = {}) {
  return run_shipped("deepflow-strategies", settings);
}

const StudyResult& the_strategies() {
  static const StudyResult kResult = strategies();
  return kResult;
}

// Data parallelism, one CR for each factorization of 64 into two, one RC for each into three.
TEST(DeepFlowStrategies, TriesEveryFactorization) {
  const StudyResult& result = the_strategies();
  EXPECT_EQ(result.findings.at("tried.64"), 1 + 6 + (2 + 3 + 4 + 5 + 6 + 7));
  EXPECT_EQ(result.findings.at("tried.512"), 1 + 9 + (2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10));
}

TEST(DeepFlowStrategies, ColumnRowIsBestWithAndWithoutTheMemoryLimit) {
  const StudyResult& result = the_strategies();
  for (const char* name : {"64", "512"}) {
    const auto finding = [&](const char* what) {
      return result.findings.at(fmt::format("{}.{}", what, name));
    };
    EXPECT_EQ(finding("best_is_cr"), 1.0);
    EXPECT_EQ(finding("data_fits"), 0.0);
    EXPECT_GT(finding("best_that_fits"), finding("best"));
    EXPECT_LT(finding("best_that_fits"), finding("data"));
  }
}

// A CR shard has 1/k1 of the weights and of their gradients, so a memory-bound step takes 1/k1,
// until communication is exposed; published are 1.6 to 2.
TEST(DeepFlowStrategies, GainsMoreOverDataParallelismThanPublished) {
  EXPECT_NEAR(the_strategies().findings.at("gain.512"), 3.125, 0.03);
  EXPECT_NEAR(the_strategies().findings.at("gain.64"), 2.275, 0.03);
}

// As in the authors' code, a shard that writes the gradient of the whole weight W for each token
// moves W/k1 forward, W/k1 for dX and W, or 2 W if the sum so far is read; data parallelism 3 W, or
// 4 W.
TEST(DeepFlowStrategies, GainsAsPublishedIfAShardWritesTheWholeGradient) {
  const auto under = [](const char* id, const char* with) {
    return under_variation(the_strategies(), id, with);
  };
  const char* const whole = "inner_gradient: samples";
  const char* const overwritten = "inner_gradient: samples, accumulation: write_only";
  const char* const authors =
      "inner_gradient: samples, accumulation: write_only, gradient_sync: contention_free";

  // The best is the published one, CR-4-d128, 2.10 s.
  EXPECT_EQ(under("11", overwritten).reason, "the best is CR-4-d128-p1, 2.11 s");
  EXPECT_NEAR(*under("11", overwritten).ours, 2.10, 0.02 * 2.10);
  // Data parallelism is faster than the published 3.54 s, so that the gain is less than 1.68.
  EXPECT_NEAR(*under("8", whole).ours, 1.44, 0.015);
  EXPECT_NEAR(*under("8", overwritten).ours, 1.53, 0.015);
  EXPECT_NEAR(*under("8", authors).ours, 1.59, 0.015);
  // One kernel for the tokens of all steps, which reads W once, gains as little for another reason.
  EXPECT_NEAR(*under("8", "steps_at_once: 0").ours, 2.08, 0.02);
}

// Best and worst families depend on two assumptions: with Cairn's own defaults they are swapped.
TEST(DeepFlowStrategies, BestFamilyDependsOnReshardingAndWeightCopies) {
  const auto reason = [](const char* id) {
    const UnderVariation& other =
        under_variation(the_strategies(), id, "resharding: all_to_all, weight_copies: kept");
    EXPECT_EQ(other.verdict, Verdict::kNotReproduced) << id;
    return other.reason;
  };
  EXPECT_EQ(reason("3"), "the best is RC-1-8-d8-p1, 2.62 s");
  EXPECT_EQ(reason("6"), "the worst is CR-64-d1-p1, 8.5 s");
}

// The published best that fits, RC-1-16-d4, is row-column. So is ours where CR shards hold whole
// gradients and rows become columns without a whole copy.
TEST(DeepFlowStrategies, BestThatFitsDependsOnInnerGradientAndResharding) {
  EXPECT_EQ(claim_of(the_strategies(), "7").reason, "the best that fits is CR-16-d4-p1, 3.53 s");
  EXPECT_EQ(
      under_variation(the_strategies(), "7", "inner_gradient: samples, resharding: all_to_all")
          .reason,
      "the best that fits is RC-1-32-d2-p1, 4.16 s");
  EXPECT_EQ(under_variation(the_strategies(), "7", "inner_gradient: samples").verdict,
            Verdict::kAbsent);
}

TEST(DeepFlowStrategies, ClaimsAboutInfeasibleDataParallelismAreAbsent) {
  const auto without = [](const char* setting) { return strategies({"variations=[]", setting}); };
  const StudyResult few = without("rankings[0].batch=32");
  EXPECT_EQ(claim_of(few, "1").verdict(), Verdict::kAbsent);
  EXPECT_THAT(claim_of(few, "1").reason, HasSubstr("32 samples do not divide over 64 replicas"));
  EXPECT_FALSE(few.findings.contains("gain.64"));
  EXPECT_EQ(claim_of(few, "3").verdict(), Verdict::kHolds);

  const StudyResult pipelines = without("rankings[0].stages=[2]");
  EXPECT_THAT(claim_of(pipelines, "1").reason, HasSubstr("stages does not list 1"));
}

// A pipeline of data-parallel stages is not data parallelism.
TEST(DeepFlowStrategies, PipelinesDoNotReplaceDataParallelism) {
  const StudyResult result = strategies({"variations=[]", "rankings[0].stages=[2, 1]"});
  EXPECT_EQ(result.findings.at("data.64"), the_strategies().findings.at("data.64"));
  EXPECT_EQ(result.findings.at("tried.64"),
            the_strategies().findings.at("tried.64") + 1 + 5 + (2 + 3 + 4 + 5 + 6));
}

// 3 micro-batches do not divide 4,096 samples.
TEST(DeepFlowStrategies, RejectsUnequalMicroBatches) {
  EXPECT_THAT(complaint(strategies,
                        {"variations=[]",
                         "rankings[0].stages=[2]",
                         "rankings[0].micro_batches=3",
                         "rankings[0].batch=4096"}),
              HasSubstr("do not divide into 3 micro-batches"));
}

TEST(DeepFlowStrategies, RejectsInvalidSettings) {
  const auto refused = [](const char* setting, const char* why) {
    EXPECT_THAT(complaint(strategies, {setting}), HasSubstr(why)) << setting;
  };
  refused("rankings=[]", "rankings: a list has no items");
  refused("rankings[0].stages=[]", "rankings[0].stages: a list has no items");
  refused("rankings[0].stages=[1, 3]", "rankings[0].stages[1]: \"3\" does not divide");
  refused("rankings[0].batch=0.5", "rankings[0].batch");
  refused("rankings[0].hidden=0.5", "rankings[0].hidden");
  refused("rankings[0].memory=0 B/s", "rankings[0].memory");
  refused("rankings[0].devices=65536", "rankings[0].devices");
  refused("rankings[0].micro_batches=100000", "rankings[0].micro_batches");
  refused("rankings[0].node=6 nm", "6 nm");
  refused("variations[0]={reshrding: gather}", "variations[0].reshrding: unknown key");
}

TEST(DeepFlowStrategies, RejectsARankingWithoutAFeasibleStrategy) {
  const std::string why =
      complaint(strategies,
                {"rankings[0].batch=1", "rankings[0].hidden=1", "assumptions.vocabulary.value=1"});
  EXPECT_THAT(why, HasSubstr("rankings[0]: no strategy is feasible: d64-p1: "));
}

TEST(DeepFlowStrategies, FigureMarksPublishedNumbers) {
  const report::Chart& chart = the_strategies().charts.at(0);
  EXPECT_EQ(chart.categories, (std::vector<std::string>{"64", "512"}));
  EXPECT_EQ(chart.series[0].name, "best");
  EXPECT_EQ(chart.series[0].y[1], the_strategies().findings.at("best.512"));
  EXPECT_EQ(chart.series[0].published, (std::vector<double>{4.79, 2.1}));
}

}  // namespace
}  // namespace cairn::study
