// The backward pass: for each operator, in reverse, the gradients of its inputs (dX) and of its
// weight (dW) from the gradient of its output (dY); then the update of each weight.
#pragma once

#include "cairn/model/graph.hpp"
#include "cairn/model/training.hpp"

namespace cairn::model {

// `forward` holds forward operators only. Where several operators read a tensor, their gradients
// are added up; an output without readers gets its gradient from the loss.
Graph with_backward_pass(Graph forward, const Training& training = {});

}  // namespace cairn::model
