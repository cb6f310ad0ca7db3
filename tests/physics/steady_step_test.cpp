// Steps whose micro-batches are no loop by themselves, but come to a steady state.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cairn/evaluate.hpp"

namespace cairn {
namespace {

// A GPT on two pipeline stages of one NVSwitch island each.
Design gpt(std::uint32_t micro_batches, const std::string& more) {
  const std::string text = fmt::format(
      "model: {{network: gpt, layers: 4, hidden: 1024, heads: 16, seq: 512, vocab: 1000}}\n"
      "device: a100\n"
      "platform: dgx-a100-x2\n"
      "memory: {{capacity: ignored}}\n"
      "strategy: {{spread: tensor-4-d2-p2, sequence_parallel: true, micro_batches: {}, "
      "batch: {}, precision: fp16, bucket: 1 MB}}\n{}",
      micro_batches,
      2 * micro_batches,
      more);
  return read_design(parse_config(text, "design.yaml"), DataFolders::in({CAIRN_DATA_FOLDER}))
      .value();
}

void expect_steady(std::uint32_t micro_batches, const std::string& more) {
  Design design = gpt(micro_batches, more);
  const auto steady = evaluate(design).value();
  design.unroll = true;
  const auto unrolled = evaluate(design).value();

  EXPECT_LT(steady.micro_batches.simulated, 20U) << more;
  EXPECT_EQ(steady.micro_batches.of, micro_batches);
  const double rounding = 1e-12 * static_cast<double>(unrolled.events);
  EXPECT_NEAR(steady.step_time.si(), unrolled.step_time.si(), rounding) << more;
  EXPECT_NEAR(steady.breakdown.idle.si(), unrolled.breakdown.idle.si(), rounding) << more;
  EXPECT_NEAR(steady.traffic / unrolled.traffic, 1.0, 1e-9) << more;
  EXPECT_DOUBLE_EQ(steady.peak_memory.si(), unrolled.peak_memory.si()) << more;
  EXPECT_NEAR(steady.utilization, unrolled.utilization, 1e-9) << more;
}

TEST(SteadyStep, TakesAsLongAsAllItsMicroBatches) {
  for (const char* more : {
           "",                         // gathers start before their pass
           "endpoint: cores\n",        // collectives and kernels share memory
           "launch: {issue: 20 us}\n"  // the host takes time to launch kernels
       }) {
    expect_steady(64, more);
    expect_steady(65, more);
  }
}

// Samples of all micro-batches wait at the first stage, whose peak grows beyond that of others.
TEST(SteadyStep, FindsTheFullestStageOfAllMicroBatches) {
  Design design = read_design(parse_config("model: alexnet\ndevice: mc-dla\nplatform: mc-dla-ring\n"
                                           "strategy: {devices: 3, spread: d1-p3, batch: 16000, "
                                           "micro_batches: 1000}\n"
                                           "launch: {issue: 1 us}\nmemory: {capacity: ignored}\n",
                                           "design.yaml"),
                              DataFolders::in({CAIRN_DATA_FOLDER}))
                      .value();
  const auto steady = evaluate(design).value();
  design.unroll = true;
  const auto unrolled = evaluate(design).value();

  EXPECT_EQ(steady.peak_at, unrolled.peak_at);
  EXPECT_DOUBLE_EQ(steady.peak_memory.si(), unrolled.peak_memory.si());
  EXPECT_DOUBLE_EQ(steady.memory_bound.si(), unrolled.memory_bound.si());
}

// Classes of devices may have resources of one name.
TEST(SteadyStep, CountsTrafficByResource) {
  Design design = gpt(70, "contention: false\n");
  const auto steady = evaluate(design).value();
  design.unroll = true;
  const auto unrolled = evaluate(design).value();

  ASSERT_LT(steady.micro_batches.simulated, 70U);
  ASSERT_EQ(steady.resources.size(), unrolled.resources.size());
  for (const explain::ResourceUse& use : unrolled.resources) {
    const auto same = std::ranges::find(steady.resources, use.index, &explain::ResourceUse::index);
    ASSERT_NE(same, steady.resources.end());
    EXPECT_NEAR(same->traffic / use.traffic, 1.0, 1e-9) << use.name;
  }
}

TEST(SteadyStep, IsNotForFewMicroBatches) {
  EXPECT_EQ(evaluate(gpt(16, "endpoint: cores\n")).value().micro_batches.simulated, 16U);
}

// With all forward passes first, the time at which a backward pass begins depends on all
// micro-batches.
TEST(SteadyStep, IsNotFoundWhereAllForwardPassesComeFirst) {
  Design design = gpt(64, "endpoint: cores\n");
  design.strategy.pipeline = plan::PipelineOrder::kAllForwardFirst;

  EXPECT_EQ(evaluate(design).value().micro_batches.simulated, 64U);
}

}  // namespace
}  // namespace cairn
