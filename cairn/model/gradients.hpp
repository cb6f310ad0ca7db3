// Which tensors are the gradients of which, while a backward pass is being made.
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
  // The graph, of forward operators so far, must outlive this: what sums gradients up is added to
  // it.
  Gradients(Graph& graph, const Training& training);

  // Feature maps have one; what comes from outside, and what is made for those behind it, has none.
  [[nodiscard]] bool has_one(Id<Tensor> tensor) const;

  // What one reader of `tensor` contributes to its gradient: a new tensor ...
  Id<Tensor> make(Id<Tensor> tensor);
  // ... of all of these that have a gradient ...
  std::vector<Id<Tensor>> make_all(const std::vector<Id<Tensor>>& tensors);
  // ... one in the place of what it is made from ...
  Id<Tensor> make_in_place(Id<Tensor> tensor, Id<Tensor> of);
  // ... or one that is there.
  void contribute(Id<Tensor> tensor, Id<Tensor> gradient);

  // The sum of what all readers of `tensor` contributed; of the loss if there are none.
  Id<Tensor> sum_of(Id<Tensor> tensor);

  // Several will read it, so that nothing may be written in its place.
  void share(Id<Tensor> gradient) { shared_.insert(gradient); }

  [[nodiscard]] bool is_shared(Id<Tensor> gradient) const { return shared_.contains(gradient); }

  Id<Tensor> of_weight(Id<Tensor> weight);

  // Adds an operator that makes it. Further uses of a weight add to the gradient of the first.
  void add_of_weight(Operator op, Id<Tensor> weight);

  // Weights that have one, as these appeared.
  [[nodiscard]] std::span<const Id<Tensor>> weights() const { return weights_; }

 private:
  Graph& graph_;
  std::optional<Bytes> weight_element_;                 // of gradients of weights, if it is set
  std::vector<std::vector<Id<Tensor>>> contributions_;  // by forward tensor
  std::vector<std::optional<Id<Tensor>>> of_weight_;    // by forward tensor
  std::vector<Id<Tensor>> weights_;
  std::set<Id<Tensor>> shared_;
};

}  // namespace cairn::model
