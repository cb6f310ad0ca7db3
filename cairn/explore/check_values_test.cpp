#include "cairn/explore/check_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::explore {
namespace {

using testing::HasSubstr;

// Hidden size 256, 4 heads, on 8 devices.
std::string complaint(const std::string& vary) {
  static const DataFolders kFolders = DataFolders::in({CAIRN_DATA_FOLDER});
  const std::string text =
      "design: {model: {network: gpt, layers: 1, hidden: 256, heads: 4, vocab: 1000, seq: 128}, "
      "device: a100, platform: 'switch:8@100GB/s,2us', strategy: {spread: d8, batch: 64}}\n"
      "vary: {" +
      vary + "}\nalgorithm: {method: random, trials: 1}\n";
  try {
    check_values(read_request(parse_config(text, "search.yaml"), kFolders, {}), kFolders);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

// Heads must divide the hidden size: most pairs tried do not, some untried pairs do.
TEST(CheckValues, AcceptsValuesThatDependOnOtherKeys) {
  EXPECT_EQ(complaint("model.hidden: {from: 1024, to: 8192, whole: true},"
                      " model.heads: [16, 20, 40, 64, 80, 96]"),
            "none");
  EXPECT_EQ(complaint("model.hidden: {from: 1001, to: 9001, whole: true},"
                      " model.heads: [16, 32, 64, 96, 128]"),
            "none");
  EXPECT_EQ(complaint("model.hidden: [1024, 2048, 4096, 5120, 12288],"
                      " model.heads: {from: 8, to: 96, whole: true}"),
            "none");
  EXPECT_EQ(complaint("model.heads: [3, 283], model.hidden: [24, 2264]"), "none");
}

// 64 devices train; only the larger platform has that many.
TEST(CheckValues, AcceptsValuesThatDependOnThePlatform) {
  EXPECT_EQ(complaint("platform: ['switch:8@100GB/s,2us', 'switch:64@100GB/s,2us'],"
                      " strategy.devices: [8, 64], strategy.spread: [d8, d64]"),
            "none");
}

// sequence_parallel is invalid in strategies without tensor shards, which were generated.
TEST(CheckValues, AcceptsASpreadUnlessAllItsStrategiesAreInvalid) {
  EXPECT_EQ(complaint("strategy: [{batch: 64, sequence_parallel: true}],"
                      " strategy.spread: {spread: [tensor]}"),
            "none");
  EXPECT_THAT(complaint("strategy.spred: {spread: [tensor]}"),
              HasSubstr("search.yaml:2: vary.strategy.spred: unknown key"));
}

TEST(CheckValues, RejectsValuesInvalidWithAnyOtherKey) {
  EXPECT_THAT(complaint("model.heads: [4, many], model.hidden: [256, 512]"),
              HasSubstr("search.yaml:2: vary.model.heads[1]: \"many\" is not a"));
  EXPECT_THAT(complaint("model.hidden: [256, 512], model.heads: [4, -4]"),
              HasSubstr("search.yaml:2: vary.model.heads[1]: \"-4\""));
  EXPECT_THAT(complaint("model.haeds: [4, 8], model.hidden: [256, 512]"),
              HasSubstr("vary.model.haeds[0]: unknown key"));
  EXPECT_THAT(complaint("platform: [swich-8], strategy.batch: [64, 128]"),
              HasSubstr("search.yaml:2: vary.platform[0]"));
  EXPECT_THAT(complaint("strategy.batch: {from: 64, to: 128}, model.hidden: [256, 512]"),
              HasSubstr("search.yaml:2: vary.strategy.batch: "));
}

TEST(CheckValues, OneInvalidValueDoesNotHideAnother) {
  EXPECT_THAT(complaint("model.heads: [4, many], strategy.batch: [64, fast]"),
              HasSubstr("vary.model.heads[1]: \"many\""));
  EXPECT_THAT(complaint("strategy.batch: [64, fast], model.heads: [4, many]"),
              HasSubstr("vary.strategy.batch[1]: \"fast\""));
}

// 4 heads do not divide a hidden size of 301: an error of the model, independent of the batch.
TEST(CheckValues, DependentValuesDoNotHideInvalidOnes) {
  EXPECT_THAT(
      complaint("model.hidden: [256, 301], model.heads: [4, 8], strategy.batch: [64, fast]"),
      HasSubstr("vary.strategy.batch[1]: \"fast\""));
}

TEST(CheckValues, ErrorsOfTheBaseDesignKeepTheirLocation) {
  static const DataFolders kFolders = DataFolders::in({CAIRN_DATA_FOLDER});
  const Request request = read_request(
      parse_config("design: {model: alexnet, device: mc-dla, platform: mc-dla-ring,"
                   " strategy: {batch: much}}\nvary: {memory.offload: [none, everything]}\n",
                   "search.yaml"),
      kFolders,
      {});
  try {
    check_values(request, kFolders);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("search.yaml:1: design.strategy.batch: \"much\""));
  }
}

TEST(CheckValues, RejectsValuesThatTheFixedPartRulesOut) {
  EXPECT_THAT(complaint("strategy.devices: [8, 64]"), HasSubstr("vary.strategy.devices[1]"));
}

}  // namespace
}  // namespace cairn::explore
