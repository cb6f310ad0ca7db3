// Pipelines: which operators form a stage, and in which order stages work on micro-batches.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

// By operator of a training graph: its stage. The graph is cut where the strategy says, or so that
// the stage with the most multiply-accumulates has as few as possible; operators of one block
// (unless CutAt::kLayers) or with one weight stay together, and so do an operator and its
// gradients. Infeasible: fewer blocks or layers than stages, or data would flow backwards.
Feasible<std::vector<std::uint32_t>> assign_stages(const model::Graph& graph,
                                                   const Strategy& strategy,
                                                   std::uint32_t stages);

struct Unrolled {
  model::Graph graph{};
  std::vector<std::uint32_t> stages{};  // by operator
  // By operator: the number of its pass, one micro-batch forward or backward through one stage.
  // Operators of a pass are in a row. Updates are one pass.
  std::vector<std::uint32_t> passes{};
};

// A training graph of one micro-batch, repeated for all of them; weights are shared and their
// gradients add up. Operators are in an order in which they can run, and those of each stage in the
// order in which the stage works on them.
Unrolled unroll(const model::Graph& graph,
                const std::vector<std::uint32_t>& stages,
                const Strategy& strategy,
                std::uint32_t stage_count);

// What stage `stage` of `stages` works on in turn: micro-batch i forward as i, backward as -1 - i.
std::vector<std::int64_t> pipeline_order(PipelineOrder order,
                                         std::uint32_t stage,
                                         std::uint32_t stages,
                                         std::uint32_t micro_batches);

}  // namespace cairn::plan
