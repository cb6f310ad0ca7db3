#include "cairn/model/looked_up.hpp"

namespace cairn::model {

Bytes looked_up(const Graph& graph, const Operator& op, Id<Tensor> table, Bytes element) {
  const Id<Tensor> sums = op.pass == Pass::kForward ? op.outputs.front() : op.inputs.front();
  return graph.tensor(table).element.value_or(element) *
         (graph.tensor(sums).elements * (op.lookups ? op.lookups->pooled : 1.0));
}

}  // namespace cairn::model
