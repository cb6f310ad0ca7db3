#include "cairn/memory/tables.hpp"

namespace cairn::memory {

std::vector<std::optional<Bytes>> rows_in_turn(const plan::Plan& plan,
                                               const Liveness& live,
                                               const Policy& policy) {
  std::vector<std::optional<Bytes>> rows(plan.graph.tensors.size());
  if (policy.tables == TablesIn::kDevice) {
    return rows;
  }
  for (const model::Operator& op : plan.graph.operators) {
    if (!op.lookups) {
      continue;
    }
    // As many elements as their sums have, or the gradients of these, for each that is added up.
    const Id<model::Tensor> sums =
        op.pass == model::Pass::kForward ? op.outputs.front() : op.inputs.front();
    const std::size_t made = plan.graph.tensor(sums).storage.index();
    for (const auto* tensors : {&op.inputs, &op.outputs}) {
      for (const Id<model::Tensor> tensor : *tensors) {
        const model::Tensor& table = plan.graph.tensor(tensor);
        if (table.kind == model::TensorKind::kWeight) {
          rows[table.storage.index()] = live.storage[made].bytes * op.lookups->pooled;
        }
      }
    }
  }
  return rows;
}

}  // namespace cairn::memory
