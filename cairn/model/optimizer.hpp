// Work and states of an optimizer update.
#pragma once

#include "cairn/model/graph.hpp"
#include "cairn/model/training.hpp"

namespace cairn::model {

inline constexpr Bytes kStateElement(4.0);  // fp32 in any training precision

// Element-wise operations per weight.
double ops_of_update(const Training& training);

// Makes `update`, an operator of `graph`, read and write the weight and its optimizer states: the
// master copy and Adam's moments.
void read_and_write_states(Graph& graph,
                           const Training& training,
                           Id<Tensor> weight,
                           Operator& update);

}  // namespace cairn::model
