// What is moved of a table by an operator that looks it up.
#pragma once

#include "cairn/base/id.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::model {

// Rows of a table that are looked up, or gradients that are added to them, not the table: as many
// elements as are made of them, or were; where rows are added up, as often as there are rows.
// `table` is the table, or what an optimizer keeps of it, in elements of its own; `element` is that
// of all others.
Bytes looked_up(const Graph& graph, const Operator& op, Id<Tensor> table, Bytes element);

}  // namespace cairn::model
