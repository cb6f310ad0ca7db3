#include "cairn/model/graph.hpp"

#include <array>
#include <utility>

namespace cairn::model {

namespace {

constexpr std::array<std::string_view, 7> kTensorKinds{
    "data", "activation", "state", "indices", "weight", "gradient", "weight gradient"};

constexpr std::array<std::string_view, 4> kPasses{
    "forward", "data gradient", "weight gradient", "update"};

}  // namespace

std::string_view to_text(TensorKind kind) {
  return kTensorKinds[static_cast<std::size_t>(kind)];
}

Bytes bytes_of(const Tensor& tensor, Bytes precision) {
  return tensor.elements * tensor.element.value_or(precision);
}

std::string_view to_text(Pass pass) {
  return kPasses[static_cast<std::size_t>(pass)];
}

Id<Tensor> Graph::add(Tensor tensor) {
  const Id<Tensor> id(tensors.size());
  tensor.storage = id;
  tensors.push_back(std::move(tensor));
  return id;
}

Id<Tensor> Graph::add_in_place(Tensor tensor, Id<Tensor> host) {
  const Id<Tensor> id(tensors.size());
  tensor.storage = tensors[host.index()].storage;
  tensors.push_back(std::move(tensor));
  return id;
}

double macs_of(const Graph& graph) {
  double macs = 0.0;
  for (const Operator& op : graph.operators) {
    macs += op.again ? 0.0 : op.macs();
  }
  return macs;
}

Counts count(const Graph& graph) {
  Counts counts;
  std::vector<bool> counted(graph.tensors.size(), false);
  const auto once = [&](Id<Tensor> id) {
    const bool first = !counted[id.index()];
    counted[id.index()] = true;
    return first ? graph.tensor(id).elements : 0.0;
  };
  for (const Operator& op : graph.operators) {
    if (op.in_backward_pass()) {
      continue;
    }
    counts.macs += op.macs();
    for (const Id<Tensor> input : op.inputs) {
      const TensorKind kind = graph.tensor(input).kind;
      if (kind == TensorKind::kWeight) {
        counts.parameters += once(input);
      } else if (op.contraction) {
        counts.contraction_inputs += once(input);
      }
    }
    for (const Id<Tensor> output : op.outputs) {
      if (op.contraction && graph.tensor(output).kind == TensorKind::kActivation) {
        counts.contraction_outputs += graph.tensor(output).elements;
      }
    }
  }
  return counts;
}

}  // namespace cairn::model
