#include "cairn/memory/tables.hpp"

#include <algorithm>

#include "cairn/model/looked_up.hpp"

namespace cairn::memory {

std::vector<std::optional<Bytes>> looked_up_rows(const plan::Plan& plan, const Policy& policy) {
  std::vector<std::optional<Bytes>> rows(plan.graph.tensors.size());
  if (policy.tables == TablesIn::kDevice) {
    return rows;
  }
  for (const model::Operator& op : plan.graph.operators) {
    if (!op.lookups) {
      continue;
    }
    for (const auto* tensors : {&op.inputs, &op.outputs}) {
      for (const Id<model::Tensor> tensor : *tensors) {
        const model::Tensor& table = plan.graph.tensor(tensor);
        if (table.kind == model::TensorKind::kWeight) {
          rows[table.storage.index()] = model::looked_up(plan.graph, op, tensor, plan.element());
        }
      }
    }
  }
  return rows;
}

std::vector<Id<model::Tensor>> stored_tables(const plan::Plan& plan,
                                             const std::vector<std::optional<Bytes>>& rows,
                                             const model::Operator& op) {
  std::vector<Id<model::Tensor>> tables;
  for (const auto* tensors : {&op.inputs, &op.outputs}) {
    for (const Id<model::Tensor> tensor : *tensors) {
      if (rows[plan.graph.tensor(tensor).storage.index()] &&
          std::ranges::find(tables, tensor) == tables.end()) {
        tables.push_back(tensor);
      }
    }
  }
  return tables;
}

}  // namespace cairn::memory
