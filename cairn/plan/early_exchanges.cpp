#include "cairn/plan/early_exchanges.hpp"

#include <optional>

namespace cairn::plan {

using model::Operator;
using model::Pass;
using model::Tensor;

std::vector<std::vector<EarlyExchange>> early_exchanges(const model::Graph& graph,
                                                        const std::vector<std::uint32_t>& stages,
                                                        const OperandRules& rules,
                                                        const TensorLayout& samples) {
  std::vector<std::vector<EarlyExchange>> early(graph.operators.size());
  std::vector<std::optional<std::size_t>> writer(graph.tensors.size());  // by storage: the last
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    const bool table = op.properties().looks_up_rows;
    if (table && op.pass == Pass::kForward) {
      early[i].push_back({op.outputs.front(), samples});
    } else if (table) {
      const Id<Tensor> gradient = op.inputs.front();
      const auto maker = writer[graph.tensor(gradient).storage.index()];
      if (maker && stages[*maker] == stages[i]) {
        early[*maker].push_back(
            {gradient, rules.layout(op, &Rules::weight_gradient, &Rule::right)});
      }
    }
    for (const Id<Tensor> output : op.outputs) {
      writer[graph.tensor(output).storage.index()] = i;
    }
  }
  return early;
}

}  // namespace cairn::plan
