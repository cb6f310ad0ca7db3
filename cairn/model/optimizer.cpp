#include "cairn/model/optimizer.hpp"

namespace cairn::model {

namespace {

constexpr double kOpsOfSgd = 2.0;  // scale, subtract
// Two moving averages of three operations each; two corrections, root, sum, quotient; SGD's two.
constexpr double kOpsOfAdam = 13.0;

}  // namespace

double ops_of_update(const Training& training) {
  return training.optimizer == Optimizer::kAdam ? kOpsOfAdam : kOpsOfSgd;
}

void read_and_write_states(Graph& graph,
                           const Training& training,
                           Id<Tensor> weight,
                           Operator& update) {
  const auto state = [&](const char* what) {
    const Id<Tensor> mine = graph.add({.name = graph.tensor(weight).name + what,
                                       .kind = TensorKind::kWeight,
                                       .elements = graph.tensor(weight).elements,
                                       .element = kStateElement});
    update.inputs.push_back(mine);
    update.outputs.push_back(mine);
  };
  if (training.master_weights) {
    state(".master");
  } else {
    update.inputs.push_back(weight);
  }
  if (training.optimizer == Optimizer::kAdam) {
    state(".mean");
    state(".square");
  }
}

}  // namespace cairn::model
