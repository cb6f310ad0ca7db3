// Feature maps that are made again for the backward pass instead of being kept.
#pragma once

#include "cairn/model/graph.hpp"

namespace cairn::model {

// `training` has its backward pass. Before the first gradient of a block, all operators of the
// block run again on what it read, and its gradients read what these make; what was made in the
// forward pass is then read by nobody but the next block. With F the work of the blocks forward,
// 2 F backward, they do 4 F instead of 3 F.
Graph with_recomputation(const Graph& training);

// False: no operator is of a block.
bool has_blocks(const Graph& graph);

}  // namespace cairn::model
