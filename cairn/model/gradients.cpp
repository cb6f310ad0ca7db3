#include "cairn/model/gradients.hpp"

#include <utility>

#include "cairn/model/optimizer.hpp"

namespace cairn::model {

Gradients::Gradients(Graph& graph, const Training& training)
    : graph_(graph),
      weight_element_(training.fp32_gradients ? std::optional(kStateElement) : std::nullopt),
      contributions_(graph.tensors.size()),
      of_weight_(graph.tensors.size()) {}

bool Gradients::has_one(Id<Tensor> tensor) const {
  return graph_.tensor(tensor).kind == TensorKind::kActivation;
}

Id<Tensor> Gradients::make(Id<Tensor> tensor) {
  const Id<Tensor> gradient = graph_.add({.name = "d" + graph_.tensor(tensor).name,
                                          .kind = TensorKind::kGradient,
                                          .elements = graph_.tensor(tensor).elements,
                                          .element = graph_.tensor(tensor).element});
  contribute(tensor, gradient);
  return gradient;
}

std::vector<Id<Tensor>> Gradients::make_all(const std::vector<Id<Tensor>>& tensors) {
  std::vector<Id<Tensor>> gradients;
  for (const Id<Tensor> tensor : tensors) {
    if (has_one(tensor)) {
      gradients.push_back(make(tensor));
    }
  }
  return gradients;
}

Id<Tensor> Gradients::make_in_place(Id<Tensor> tensor, Id<Tensor> of) {
  const Id<Tensor> gradient = graph_.add_in_place({.name = "d" + graph_.tensor(tensor).name,
                                                   .kind = TensorKind::kGradient,
                                                   .elements = graph_.tensor(tensor).elements},
                                                  of);
  contribute(tensor, gradient);
  return gradient;
}

void Gradients::contribute(Id<Tensor> tensor, Id<Tensor> gradient) {
  if (has_one(tensor)) {
    contributions_[tensor.index()].push_back(gradient);
  }
}

Id<Tensor> Gradients::sum_of(Id<Tensor> tensor) {
  std::vector<Id<Tensor>>& parts = contributions_[tensor.index()];
  const double elements = graph_.tensor(tensor).elements;
  if (parts.empty()) {
    parts = {graph_.add({.name = "d" + graph_.tensor(tensor).name + " of the loss",
                         .kind = TensorKind::kGradient,
                         .elements = elements})};
  }
  if (parts.size() > 1) {
    const Id<Tensor> sum = graph_.add({.name = "d" + graph_.tensor(tensor).name,
                                       .kind = TensorKind::kGradient,
                                       .elements = elements});
    graph_.operators.push_back({.name = graph_.tensor(tensor).name,
                                .kind = OperatorKind::kAdd,
                                .pass = Pass::kDataGradient,
                                .layer = graph_.operators.back().layer,
                                .vector_ops = elements * static_cast<double>(parts.size() - 1),
                                .inputs = parts,
                                .outputs = {sum}});
    parts = {sum};
  }
  return parts.front();
}

Id<Tensor> Gradients::of_weight(Id<Tensor> weight) {
  auto& gradient = of_weight_[weight.index()];
  if (!gradient) {
    gradient = graph_.add({.name = "d" + graph_.tensor(weight).name,
                           .kind = TensorKind::kWeightGradient,
                           .elements = graph_.tensor(weight).elements,
                           .element = weight_element_});
    weights_.push_back(weight);
  }
  return *gradient;
}

void Gradients::add_of_weight(Operator op, Id<Tensor> weight) {
  const bool first = !of_weight_[weight.index()];
  const Id<Tensor> gradient = of_weight(weight);
  if (!first) {
    op.inputs.push_back(gradient);
  }
  op.outputs = {gradient};
  graph_.operators.push_back(std::move(op));
}

}  // namespace cairn::model
