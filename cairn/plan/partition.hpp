// The operators, tensors and exchanges of one device of each stage.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/model/graph.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {

// Partitions the operators of a training graph among the devices of the stages that run them.
// `stages`, `passes` (Unrolled): by operator. Infeasible: a shard would be empty.
Feasible<Plan> partition(const model::Graph& graph,
                         const std::vector<std::uint32_t>& stages,
                         const std::vector<std::uint32_t>& passes,
                         const Strategy& strategy,
                         const Mesh& mesh);

}  // namespace cairn::plan
