// Pipelines: the operators of each stage, and the order of micro-batches in a stage.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

// The stage of each operator of a training graph. The graph is cut at Strategy::cuts, or so that
// the work of the largest stage is minimal; operators of one block (unless CutAt::kLayers) or with
// one weight stay together, and so do an operator and its gradients. Infeasible: fewer blocks or
// layers than stages, or data would flow backwards.
Feasible<std::vector<std::uint32_t>> assign_stages(const model::Graph& graph,
                                                   const Strategy& strategy,
                                                   std::uint32_t stages);

struct Unrolled {
  model::Graph graph{};
  std::vector<std::uint32_t> stages{};  // by operator
  std::vector<std::uint32_t> passes{};  // by operator: index in `all_passes`
  std::vector<StagePass> all_passes{};  // operators of a pass are consecutive
};

// Repeats the training graph of one micro-batch for all of them; weights are shared and their
// gradients accumulate. Operators are in topological order, and those of each stage in the order of
// execution.
Unrolled unroll(const model::Graph& graph,
                const std::vector<std::uint32_t>& stages,
                const Strategy& strategy,
                std::uint32_t stage_count);

// All forward and backward passes, those of each stage in the order of execution, each after those
// that it needs the results of.
std::vector<StagePass> pass_order(PipelineOrder order,
                                  std::uint32_t stages,
                                  std::uint32_t micro_batches);

// The execution order of stage `stage` of `stages`: micro-batch i forward as i, backward as -1 - i.
std::vector<std::int64_t> pipeline_order(PipelineOrder order,
                                         std::uint32_t stage,
                                         std::uint32_t stages,
                                         std::uint32_t micro_batches);

}  // namespace cairn::plan
