#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/plan/strategy.hpp"
#include "cairn/plan/test_support/strategies.hpp"

namespace cairn::plan {
namespace {

Strategy read(const std::string& text) {
  const Config config = parse_config("strategy: " + text + "\n", "design.yaml");
  return read_strategy(*config.find("strategy"));
}

std::string complaint_of(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

using Sizes = std::array<std::uint32_t, 4>;

Sizes sizes_of(const Strategy& strategy) {
  return {strategy.tensor_rows, strategy.tensor_columns, strategy.data, strategy.stages};
}

TEST(Notation, GivesTheSizesOfAllAxes) {
  EXPECT_EQ(sizes_of(read("RC-4-2-d3-p2")), (Sizes{4, 2, 3, 2}));
  EXPECT_EQ(read("RC-4-2-d3-p2").parallelism, Parallelism::kRowColumn);
  EXPECT_EQ(sizes_of(read("CR-8-d16-p1")), (Sizes{8, 1, 16, 1}));
  EXPECT_EQ(read("CR-8-d16-p1").parallelism, Parallelism::kColumnRow);
  EXPECT_EQ(sizes_of(read("d64")), (Sizes{1, 1, 64, 1}));
  EXPECT_EQ(read("d64").parallelism, Parallelism::kData);
  EXPECT_EQ(sizes_of(read("d4-p2")), (Sizes{1, 1, 4, 2}));
  EXPECT_EQ(sizes_of(read("model-8-p2")), (Sizes{8, 1, 1, 2}));
  EXPECT_EQ(sizes_of(read("one_weird_trick-8-d2-p1")), (Sizes{8, 1, 2, 1}));
  EXPECT_EQ(read("one_weird_trick-8").parallelism, Parallelism::kOneWeirdTrick);
  EXPECT_EQ(sizes_of(read("hybrid-8-d2-p1")), (Sizes{8, 1, 2, 1}));
  EXPECT_EQ(read("hybrid-8").parallelism, Parallelism::kHybrid);
}

TEST(Notation, TakesTheNamesOfAxes) {
  const Strategy strategy = read("tp8-pp4-vp2-dp16");
  EXPECT_EQ(strategy.parallelism, Parallelism::kTensor);
  EXPECT_EQ(sizes_of(strategy), (Sizes{8, 1, 16, 4}));
  EXPECT_EQ(strategy.virtual_stages, 2U);
  EXPECT_EQ(sizes_of(read("dp16-tp8-vp2-pp4")), sizes_of(strategy));
  EXPECT_EQ(read("dp4").parallelism, Parallelism::kData);
  EXPECT_EQ(read("tp8-cp1-ep1").tensor_rows, 8U);
  EXPECT_EQ(read("{spread: tp8-pp2, devices: 64}").data, 0U);  // the remaining devices
}

TEST(Notation, NamesOfAxesAreCheckedOneByOne) {
  for (const auto& [text, what] : {std::pair{"tp8-tp2", "has tp twice"},
                                   {"tp8-cp2", "context-parallel size of 2 is not modelled yet"},
                                   {"tp8-ep4", "expert-parallel size of 4 is not modelled yet"},
                                   {"tp8-xx2", "has unexpected text"},
                                   {"tp0", "from 1 to"},
                                   {"tp8-vp2", "has virtual stages without a pipeline"}}) {
    EXPECT_NE(complaint_of(text).find(what), std::string::npos) << text << complaint_of(text);
  }
}

TEST(Notation, SpreadCombinesWithOtherKeys) {
  const Strategy strategy = read("{spread: RC-4-2-d3-p2, batch: 96, micro_batches: 4}");

  EXPECT_EQ(sizes_of(strategy), (Sizes{4, 2, 3, 2}));
  EXPECT_EQ(strategy.parallelism, Parallelism::kRowColumn);
  EXPECT_EQ(strategy.batch, 96.0);
  EXPECT_EQ(strategy.micro_batches, 4U);
}

// A strategy's name in results is valid input.
RC_GTEST_PROP(NotationProperty, ReadsWhatItWrites, ()) {
  const Strategy strategy = any_strategy();
  const Mesh mesh = *make_mesh(strategy, devices_of(strategy));

  const Strategy again = read(notation(strategy, mesh));

  RC_ASSERT(sizes_of(again) == sizes_of(strategy));
  RC_ASSERT(again.virtual_stages == strategy.virtual_stages);
  RC_ASSERT(again.parallelism == strategy.parallelism);
}

TEST(Notation, VirtualStagesNeedAPipeline) {
  EXPECT_EQ(read("tensor-2-d2-p4-v3").virtual_stages, 3U);
  EXPECT_EQ(read("{spread: d2-p4, virtual_stages: 2}").virtual_stages, 2U);
  EXPECT_NE(complaint_of("d8-v2").find("has virtual stages without a pipeline"), std::string::npos);
  EXPECT_NE(complaint_of("d8-p2-v5000").find("from 1 to 1024"), std::string::npos);
  EXPECT_NE(complaint_of("{spread: d8-p2-v1, virtual_stages: 2}").find("already set by"),
            std::string::npos);
}

TEST(Notation, InvalidTextsNameFileLineAndKey) {
  for (const char* text : {"RC-0-2",
                           "RC-4",
                           "RC-4-",
                           "CR-",
                           "CR--d2",
                           "d0",
                           "d",
                           "p2",
                           "RC",
                           "rc-4-2",
                           "RC-4-2-",
                           "RC-4-2d3",
                           "RC-4-2-d3p2",
                           "d4-",
                           "d4-p2-",
                           "d4-p0",
                           "RC-4-2-p2-d3",
                           "RC-4-2-d3-p2 ok",
                           "d4x",
                           "CR-8-2",
                           "d-4",
                           "RC-4-2-x3",
                           "model-",
                           "d99999999999",
                           "4"}) {
    const std::string complaint = complaint_of(std::string("\"") + text + "\"");

    EXPECT_TRUE(complaint.starts_with("design.yaml:1: strategy: ")) << text << ": " << complaint;
    EXPECT_NE(complaint.find("expected e.g."), std::string::npos) << text << ": " << complaint;
  }
}

TEST(Notation, SpreadExcludesKeysOfSizes) {
  for (const char* key :
       {"parallelism: data", "tensor_rows: 4", "tensor_columns: 2", "data: 3", "stages: 2"}) {
    const std::string complaint = complaint_of("\n  spread: RC-4-2-d3-p2\n  " + std::string(key));
    const std::string name(key, std::string_view(key).find(':'));

    EXPECT_TRUE(complaint.starts_with("design.yaml:3: strategy." + name + ": ")) << complaint;
  }
}

TEST(Notation, AnInvalidSpreadNamesFileLineAndKey) {
  const std::string complaint = complaint_of("\n  batch: 64\n  spread: RC-4");

  EXPECT_TRUE(complaint.starts_with("design.yaml:3: strategy.spread: ")) << complaint;
}

TEST(NameOf, OneAxisIsNamedAfterItsParallelism) {
  const auto name = [](const Strategy& strategy, std::uint32_t devices) {
    return name_of(strategy, *make_mesh(strategy, devices));
  };

  EXPECT_EQ(name({}, 8), "data");
  EXPECT_EQ(name({.parallelism = Parallelism::kModel}, 8), "model");
  EXPECT_EQ(name({.parallelism = Parallelism::kModel, .tensor_rows = 4, .data = 2}, 8),
            "model-4-d2-p1");
  EXPECT_EQ(name({.stages = 2}, 8), "d4-p2");
  EXPECT_EQ(name({.parallelism = Parallelism::kColumnRow, .tensor_rows = 8}, 8), "CR-8-d1-p1");
}

}  // namespace
}  // namespace cairn::plan
