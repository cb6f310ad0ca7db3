#include "cairn/plan/pipeline.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace cairn::plan {
namespace {

Pipeline any_pipeline() {
  return {.order = *rc::gen::element(PipelineOrder::kOneForwardOneBackward,
                                     PipelineOrder::kAllForwardFirst),
          .stages = *rc::gen::inRange(1U, 9U),
          .per_stage = *rc::gen::inRange(1U, 5U)};
}

std::uint32_t any_micro_batches(const Pipeline& pipeline) {
  const auto any = *rc::gen::inRange(1U, 20U);
  return has_full_groups(pipeline, any) ? any : pipeline.stages * any;
}

// Forward passes of a stage whose backward pass has not run yet: the most at any time.
std::uint32_t most_kept(const std::vector<StagePass>& passes) {
  std::uint32_t kept = 0;
  std::uint32_t most = 0;
  for (const StagePass& pass : passes) {
    kept += pass.kind == PassKind::kForward ? 1U : -1U;
    most = std::max(most, kept);
  }
  return most;
}

// The end of the step if passes take `forward` and `backward`, and transfers no time.
std::uint32_t end_of(const Pipeline& pipeline,
                     std::uint32_t micro_batches,
                     std::uint32_t forward,
                     std::uint32_t backward) {
  std::vector<std::uint32_t> stage_end(pipeline.stages, 0);
  std::map<StagePass, std::uint32_t> end;
  for (const StagePass& pass : pass_order(pipeline, micro_batches)) {
    const bool is_forward = pass.kind == PassKind::kForward;
    StagePass before = pass;
    before.virtual_stage += is_forward ? -1U : 1U;
    std::uint32_t& mine = stage_end[pipeline.stage_of(pass.virtual_stage)];
    const auto input = end.find(before);
    mine = std::max(mine, input == end.end() ? 0 : input->second);
    mine += is_forward ? forward : backward;
    end[pass] = mine;
  }
  return std::ranges::max(stage_end);
}

// Each virtual stage takes the micro-batches in order, forward and backward once, on its stage.
RC_GTEST_PROP(PipelineProperty, EveryMicroBatchOnceForwardThenOnceBackward, ()) {
  const Pipeline pipeline = any_pipeline();
  const std::uint32_t micro_batches = any_micro_batches(pipeline);

  std::map<std::pair<std::uint32_t, PassKind>, std::uint32_t> done;
  for (const StagePass& pass : pass_order(pipeline, micro_batches)) {
    RC_ASSERT((pass.micro_batch == done[{pass.virtual_stage, pass.kind}]++));
    const auto forward = done[{pass.virtual_stage, PassKind::kForward}];
    RC_ASSERT((forward >= done[{pass.virtual_stage, PassKind::kBackward}]));
  }
  RC_ASSERT(done.size() == 2 * pipeline.virtual_stages());
  for (const auto& [which, count] : done) {
    RC_ASSERT(count == micro_batches);
  }
}

RC_GTEST_PROP(PipelineProperty, TheOrderOfAStageIsKept, ()) {
  const Pipeline pipeline = any_pipeline();
  const std::uint32_t micro_batches = any_micro_batches(pipeline);
  const auto stage = *rc::gen::inRange(0U, pipeline.stages);

  std::vector<StagePass> mine;
  for (const StagePass& pass : pass_order(pipeline, micro_batches)) {
    if (pipeline.stage_of(pass.virtual_stage) == stage) {
      mine.push_back(pass);
    }
  }
  RC_ASSERT(mine == passes_of_stage(pipeline, stage, micro_batches));
}

// 1F1B keeps p - r micro-batches, GPipe all.
RC_GTEST_PROP(PipelineProperty, KeepsTheActivationsOfTheSchedule, ()) {
  Pipeline pipeline = any_pipeline();
  pipeline.per_stage = 1;
  const auto stage = *rc::gen::inRange(0U, pipeline.stages);
  const auto micro_batches = *rc::gen::inRange(1U, 20U);

  const std::uint32_t allowed = pipeline.order == PipelineOrder::kAllForwardFirst
                                    ? micro_batches
                                    : std::min(micro_batches, pipeline.stages - stage);
  RC_ASSERT(most_kept(passes_of_stage(pipeline, stage, micro_batches)) == allowed);
}

// Interleaved, in parts of a micro-batch: min(M v, 2 (p - 1 - r) + (v - 1) p + 1).
RC_GTEST_PROP(PipelineProperty, InterleavingKeepsMoreActivations, ()) {
  const auto stages = *rc::gen::inRange(2U, 9U);
  const Pipeline pipeline{.stages = stages, .per_stage = *rc::gen::inRange(2U, 5U)};
  const auto stage = *rc::gen::inRange(0U, stages);
  const std::uint32_t micro_batches = stages * *rc::gen::inRange(1U, 5U);

  const std::uint32_t allowed =
      std::min(micro_batches * pipeline.per_stage,
               2 * (stages - 1 - stage) + (pipeline.per_stage - 1) * stages + 1);
  RC_ASSERT(most_kept(passes_of_stage(pipeline, stage, micro_batches)) == allowed);
}

// The bubble of p stages is (p - 1) (f + b), and 1 / v of it with v virtual stages, each of which
// takes f and b: v M (f + b) + (p - 1) (f + b).
RC_GTEST_PROP(PipelineProperty, InterleavingDividesTheBubble, ()) {
  Pipeline pipeline = any_pipeline();
  pipeline.order = PipelineOrder::kOneForwardOneBackward;
  const std::uint32_t micro_batches = pipeline.stages * *rc::gen::inRange(1U, 5U);
  const auto forward = *rc::gen::inRange(1U, 5U);
  const auto backward = *rc::gen::inRange(1U, 9U);

  RC_ASSERT(end_of(pipeline, micro_batches, forward, backward) ==
            (pipeline.per_stage * micro_batches + pipeline.stages - 1) * (forward + backward));
}

TEST(Pipeline, OneStageHasNoVirtualStages) {
  EXPECT_EQ(pipeline_of({.stages = 1, .virtual_stages = 3}), Pipeline{});
  EXPECT_EQ(pipeline_of({.stages = 2, .virtual_stages = 3}).virtual_stages(), 6U);
}

// Narayanan et al. 2021, figure 4: four stages, eight micro-batches, two virtual stages each. The
// first stage runs 1 2 3 4 through its first part, 1 2 3 4 through its second, then 5 6.
TEST(Pipeline, InterleavesLikeMegatron) {
  const Pipeline pipeline{.stages = 4, .per_stage = 2};

  const auto first = passes_of_stage(pipeline, 0, 8);

  const std::vector<std::pair<std::uint32_t, std::uint32_t>> warm_up{
      {0, 0}, {0, 1}, {0, 2}, {0, 3}, {4, 0}, {4, 1}, {4, 2}, {4, 3}, {0, 4}, {0, 5}, {0, 6}};
  for (std::size_t i = 0; i < warm_up.size(); ++i) {
    EXPECT_EQ(first[i], (StagePass{warm_up[i].first, PassKind::kForward, warm_up[i].second})) << i;
  }
  EXPECT_EQ(first[warm_up.size()], (StagePass{4, PassKind::kBackward, 0}));
}

}  // namespace
}  // namespace cairn::plan
