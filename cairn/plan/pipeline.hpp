// The pipeline of a strategy: which stage runs which part of the model, and in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

enum class PassKind : std::uint8_t { kForward, kBackward, kUpdate };

// A micro-batch forward or backward through a virtual stage; or the updates of all stages.
struct StagePass {
  std::uint32_t virtual_stage = 0;
  PassKind kind = PassKind::kForward;
  std::uint32_t micro_batch = 0;

  auto operator<=>(const StagePass&) const = default;
};

// The model is cut into virtual stages, one after the other. The devices of a stage run one or more
// of them.
struct Pipeline {
  PipelineOrder order = PipelineOrder::kOneForwardOneBackward;
  std::uint32_t stages = 1;
  std::uint32_t per_stage = 1;  // virtual stages of each stage
  // Interleaved: a stage takes this many micro-batches through a virtual stage before the next, or
  // all if there are fewer. At least `stages`; absent: `stages`.
  std::optional<std::uint32_t> group{};

  bool operator==(const Pipeline&) const = default;

  [[nodiscard]] std::uint32_t virtual_stages() const { return stages * per_stage; }

  // The stage that runs a virtual stage.
  [[nodiscard]] std::uint32_t stage_of(std::uint32_t virtual_stage) const;
};

Pipeline pipeline_of(const Strategy& strategy);

// Whether passes never wait for each other in a cycle: interleaved micro-batches come in full
// groups.
bool has_full_groups(const Pipeline& pipeline, std::uint32_t micro_batches);

// The forward and backward passes of a stage in the order of execution. Precondition of both:
// has_full_groups().
std::vector<StagePass> passes_of_stage(const Pipeline& pipeline,
                                       std::uint32_t stage,
                                       std::uint32_t micro_batches);

// The same of all stages, each pass after those whose results it needs.
std::vector<StagePass> pass_order(const Pipeline& pipeline, std::uint32_t micro_batches);

}  // namespace cairn::plan
