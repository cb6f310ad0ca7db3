// The operators of all micro-batches of a pipeline.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/model/graph.hpp"
#include "cairn/plan/pipeline.hpp"

namespace cairn::plan {

struct Unrolled {
  model::Graph graph{};
  std::vector<std::uint32_t> stages{};  // by operator: the stage whose devices run it
  std::vector<std::uint32_t> passes{};  // by operator: index in `all_passes`
  std::vector<StagePass> all_passes{};  // operators of a pass are consecutive
};

// Repeats the training graph of one micro-batch for all of them; weights are shared and their
// gradients accumulate. Operators are in topological order, and those of each stage in the order of
// execution. `virtual_stages`: of each operator of the graph.
Unrolled unroll(const model::Graph& graph,
                const std::vector<std::uint32_t>& virtual_stages,
                const Pipeline& pipeline,
                std::uint32_t micro_batches);

}  // namespace cairn::plan
