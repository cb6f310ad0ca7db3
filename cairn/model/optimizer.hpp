// What an optimizer does with a weight and its gradient, and what it keeps beside the weight.
#pragma once

#include "cairn/model/graph.hpp"
#include "cairn/model/training.hpp"

namespace cairn::model {

inline constexpr Bytes kStateElement(4.0);  // fp32, whatever is trained in

// Per element of a weight.
double ops_of_update(const Training& training);

// Makes `update`, an operator of `graph`, read and write the weight and what is kept beside it: a
// master copy, and the moving averages of Adam.
void read_and_write_states(Graph& graph,
                           const Training& training,
                           Id<Tensor> weight,
                           Operator& update);

}  // namespace cairn::model
