// The gradients of tensors while a backward pass is being built.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "cairn/model/graph.hpp"
#include "cairn/model/training.hpp"

namespace cairn::model {

class Gradients {
 public:
  // The graph holds forward operators and must outlive this; operators that sum gradients are
  // appended to it.
  Gradients(Graph& graph, const Training& training);

  // True for activations; external data and saved states have no gradient.
  [[nodiscard]] bool has_one(Id<Tensor> tensor) const;

  // Adds a new tensor as one reader's contribution to the gradient of `tensor`.
  Id<Tensor> make(Id<Tensor> tensor);
  // The same for each of `tensors` that has a gradient.
  std::vector<Id<Tensor>> make_all(const std::vector<Id<Tensor>>& tensors);
  // The same, in the storage of `of`.
  Id<Tensor> make_in_place(Id<Tensor> tensor, Id<Tensor> of);
  // Adds an existing tensor as a contribution.
  void contribute(Id<Tensor> tensor, Id<Tensor> gradient);

  // The sum of all contributions to the gradient of `tensor`; from the loss if there are none.
  Id<Tensor> sum_of(Id<Tensor> tensor);

  // Several operators read it, so it must not be overwritten in place.
  void share(Id<Tensor> gradient) { shared_.insert(gradient); }

  [[nodiscard]] bool is_shared(Id<Tensor> gradient) const { return shared_.contains(gradient); }

  Id<Tensor> of_weight(Id<Tensor> weight);

  // Adds an operator that computes the gradient of `weight`. Further uses of a weight accumulate.
  void add_of_weight(Operator op, Id<Tensor> weight);

  // Weights with a gradient, in order of appearance.
  [[nodiscard]] std::span<const Id<Tensor>> weights() const { return weights_; }

 private:
  Graph& graph_;
  std::optional<Bytes> weight_element_;                 // of weight gradients, if set
  std::vector<std::vector<Id<Tensor>>> contributions_;  // by forward tensor
  std::vector<std::optional<Id<Tensor>>> of_weight_;    // by forward tensor
  std::vector<Id<Tensor>> weights_;
  std::set<Id<Tensor>> shared_;
};

}  // namespace cairn::model
