// Activation recomputation: activations are recomputed for the backward pass instead of saved.
#pragma once

#include "cairn/model/graph.hpp"
#include "cairn/model/training.hpp"

namespace cairn::model {

// `training` includes its backward pass. Before the first gradient of a block, all operators of the
// block run again on the block's input, and its gradients read the recomputed tensors. With F the
// forward work of the blocks, they take 4 F instead of 3 F. Selective recomputation does the same
// for the operators of stored attention scores (Operator::scores).
Graph with_recomputation(const Graph& training, Checkpoints checkpoints);

// False if no operator would be recomputed.
bool has_recomputable_blocks(const Graph& graph, Checkpoints checkpoints);

}  // namespace cairn::model
