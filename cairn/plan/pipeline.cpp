#include "cairn/plan/pipeline.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "cairn/base/failure.hpp"

namespace cairn::plan {

namespace {

// Virtual stages go around: of p stages, stage r runs r, p + r, 2 p + r, ...
std::uint32_t around(const Pipeline& pipeline, std::uint32_t virtual_stage) {
  return virtual_stage % pipeline.stages;
}

// The virtual stages of a stage, in the order of the model.
std::vector<std::uint32_t> virtual_stages_of(const Pipeline& pipeline, std::uint32_t stage) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t v = 0; v < pipeline.virtual_stages(); ++v) {
    if (pipeline.stage_of(v) == stage) {
      found.push_back(v);
    }
  }
  return found;
}

// Group by group of micro-batches, in a group one virtual stage after the other.
std::vector<StagePass> in_groups(std::span<const std::uint32_t> virtual_stages,
                                 PassKind kind,
                                 std::uint32_t group,
                                 std::uint32_t micro_batches) {
  std::vector<StagePass> passes;
  for (std::uint32_t first = 0; first < micro_batches; first += group) {
    for (const std::uint32_t v : virtual_stages) {
      for (std::uint32_t m = first; m < std::min(first + group, micro_batches); ++m) {
        passes.push_back({.virtual_stage = v, .kind = kind, .micro_batch = m});
      }
    }
  }
  return passes;
}

// `warm_up` forward passes, then forward and backward passes in turn, then the rest.
std::vector<StagePass> in_turn(const Pipeline& pipeline,
                               std::uint32_t stage,
                               std::uint32_t micro_batches,
                               std::uint32_t group,
                               std::size_t warm_up) {
  std::vector<std::uint32_t> mine = virtual_stages_of(pipeline, stage);
  const auto forward = in_groups(mine, PassKind::kForward, group, micro_batches);
  std::ranges::reverse(mine);
  const auto backward = in_groups(mine, PassKind::kBackward, group, micro_batches);
  std::vector<StagePass> passes;
  for (std::size_t f = 0, b = 0; b < backward.size();) {
    if (f < forward.size() && f <= warm_up + b) {
      passes.push_back(forward[f++]);
    } else {
      passes.push_back(backward[b++]);
    }
  }
  return passes;
}

std::uint32_t group_of(const Pipeline& pipeline) {
  return pipeline.group.value_or(pipeline.stages);
}

// PipeDream-flush, and interleaved with several virtual stages (Narayanan et al. 2021,
// section 2.2).
std::vector<StagePass> passes_1f1b(const Pipeline& pipeline,
                                   std::uint32_t stage,
                                   std::uint32_t micro_batches) {
  const std::size_t behind = pipeline.stages - 1 - stage;
  const std::size_t rounds = pipeline.per_stage - 1;
  const std::uint32_t group = group_of(pipeline);
  const std::size_t warm_up = rounds == 0 ? behind : 2 * behind + rounds * group;
  return in_turn(pipeline, stage, micro_batches, group, warm_up);
}

std::vector<StagePass> passes_gpipe(const Pipeline& pipeline,
                                    std::uint32_t stage,
                                    std::uint32_t micro_batches) {
  const std::size_t all = std::size_t{micro_batches} * pipeline.per_stage;
  return in_turn(pipeline, stage, micro_batches, micro_batches, all);
}

struct PipelineSchedule {
  PipelineOrder order;
  std::uint32_t (*stage_of)(const Pipeline& pipeline, std::uint32_t virtual_stage);
  std::vector<StagePass> (*passes)(const Pipeline& pipeline,
                                   std::uint32_t stage,
                                   std::uint32_t micro_batches);
};

constexpr std::array kSchedules{
    PipelineSchedule{PipelineOrder::kOneForwardOneBackward, around, passes_1f1b},
    PipelineSchedule{PipelineOrder::kAllForwardFirst, around, passes_gpipe},
};

const PipelineSchedule& schedule_of(const Pipeline& pipeline) {
  const auto* found = std::ranges::find(kSchedules, pipeline.order, &PipelineSchedule::order);
  ensure(found != kSchedules.end(), "a pipeline order without a schedule");
  return *found;
}

}  // namespace

std::uint32_t Pipeline::stage_of(std::uint32_t virtual_stage) const {
  return schedule_of(*this).stage_of(*this, virtual_stage);
}

// A search may vary both sizes: one stage has no use for virtual stages.
Pipeline pipeline_of(const Strategy& strategy) {
  return {.order = strategy.pipeline,
          .stages = strategy.stages,
          .per_stage = strategy.stages > 1 ? strategy.virtual_stages : 1};
}

bool has_full_groups(const Pipeline& pipeline, std::uint32_t micro_batches) {
  const std::uint32_t group = group_of(pipeline);
  return pipeline.per_stage == 1 || pipeline.order == PipelineOrder::kAllForwardFirst ||
         micro_batches <= group || micro_batches % group == 0;
}

std::vector<StagePass> passes_of_stage(const Pipeline& pipeline,
                                       std::uint32_t stage,
                                       std::uint32_t micro_batches) {
  return schedule_of(pipeline).passes(pipeline, stage, micro_batches);
}

// Round-robin over the stages; each appends its next pass as soon as its inputs are ready.
std::vector<StagePass> pass_order(const Pipeline& pipeline, std::uint32_t micro_batches) {
  std::vector<std::vector<StagePass>> of_stage;
  std::size_t all = 0;
  for (std::uint32_t s = 0; s < pipeline.stages; ++s) {
    of_stage.push_back(passes_of_stage(pipeline, s, micro_batches));
    all += of_stage.back().size();
  }
  const std::uint32_t last = pipeline.virtual_stages() - 1;
  std::vector<std::uint32_t> forward_done(last + 1, 0);  // by virtual stage: micro-batches
  std::vector<std::uint32_t> backward_done(last + 1, 0);
  const auto ready = [&](const StagePass& pass) {
    const std::uint32_t v = pass.virtual_stage;
    return pass.kind == PassKind::kForward ? v == 0 || forward_done[v - 1] > pass.micro_batch
                                           : v == last || backward_done[v + 1] > pass.micro_batch;
  };
  std::vector<StagePass> passes;
  passes.reserve(all);
  std::vector<std::size_t> next(pipeline.stages, 0);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::uint32_t s = 0; s < pipeline.stages; ++s) {
      if (next[s] < of_stage[s].size() && ready(of_stage[s][next[s]])) {
        const StagePass& pass = passes.emplace_back(of_stage[s][next[s]++]);
        ++(pass.kind == PassKind::kForward ? forward_done : backward_done)[pass.virtual_stage];
        progress = true;
      }
    }
  }
  ensure(passes.size() == all, "the passes of a pipeline wait for each other");
  return passes;
}

}  // namespace cairn::plan
