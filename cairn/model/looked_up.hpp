// Memory traffic of embedding lookups.
#pragma once

#include "cairn/base/id.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::model {

// Bytes of the table rows that `op` looks up or updates, not of the whole table: the elements of
// its result, times the rows summed into it. `table` is the table or an optimizer state of it;
// `element` is the size of an element in the training precision.
Bytes looked_up(const Graph& graph, const Operator& op, Id<Tensor> table, Bytes element);

}  // namespace cairn::model
