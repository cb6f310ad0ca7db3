// Feature maps that are made again for the backward pass instead of being kept.
#pragma once

#include "cairn/model/graph.hpp"
#include "cairn/model/training.hpp"

namespace cairn::model {

// `training` has its backward pass. Before the first gradient of a block, all operators of the
// block run again on what it read, and its gradients read what these make; what was made in the
// forward pass is then read by nobody but the next block. With F the work of the blocks forward,
// 2 F backward, they do 4 F instead of 3 F. Selectively: the same of what is done with stored
// scores instead of blocks.
Graph with_recomputation(const Graph& training, Checkpoints checkpoints);

// False: no operator is of what would be made again.
bool has_what_is_made_again(const Graph& graph, Checkpoints checkpoints);

}  // namespace cairn::model
