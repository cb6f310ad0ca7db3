#include "cairn/model/backward.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/model/recompute.hpp"

namespace cairn::model {

namespace {

constexpr const char* kNoContraction = "an operator without the contraction of its kind";
constexpr const char* kNoWeight = "an operator without the weight of its kind";

constexpr Bytes kStateElement(4.0);  // fp32, whatever is trained in
constexpr double kOpsOfSgd = 2.0;    // scale, subtract
// Two moving averages of three operations each; two corrections, root, sum, quotient, and as SGD.
constexpr double kOpsOfAdam = 13.0;

class BackwardPass {
 public:
  BackwardPass(Graph forward, const Training& training)
      : graph_(std::move(forward)),
        training_(training),
        contributions_(graph_.tensors.size()),
        weight_gradient_(graph_.tensors.size()),
        reader_(graph_.tensors.size()) {}

  Graph run() {
    const std::size_t forward = graph_.operators.size();
    for (std::size_t i = forward; i-- > 0;) {
      for (const auto weight : {graph_.operators[i].weight, graph_.operators[i].bias}) {
        if (weight && !reader_[weight->index()]) {
          reader_[weight->index()] = Id<Operator>(i);
        }
      }
      const std::size_t before = graph_.operators.size();
      differentiate(graph_.operators[i]);
      for (std::size_t added = before; added < graph_.operators.size(); ++added) {
        graph_.operators[added].forward = Id<Operator>(i);
      }
    }
    for (const Id<Tensor> weight : updates_) {
      update(weight);
    }
    for (Operator& op : graph_.operators) {
      op.background = op.lookups && training_.tables == Tables::kBackground;
    }
    return std::move(graph_);
  }

 private:
  [[nodiscard]] double ops_of_update() const {
    return training_.optimizer == Optimizer::kAdam ? kOpsOfAdam : kOpsOfSgd;
  }

  void update(Id<Tensor> weight) {
    Operator op{
        .name = graph_.tensor(weight).name,
        .kind = OperatorKind::kUpdate,
        .pass = Pass::kUpdate,
        .layer = graph_.layers == 0 ? 0 : graph_.layers - 1,
        .vector_ops = ops_of_update() * graph_.tensor(weight).elements,
        .inputs = {must_have(weight_gradient_[weight.index()], "an update without a gradient")},
        .outputs = {weight},
        .forward = reader_[weight.index()]};
    read_and_write_states(weight, op);
    graph_.operators.push_back(std::move(op));
  }

  // The weight, and what an optimizer keeps beside it.
  void read_and_write_states(Id<Tensor> weight, Operator& op) {
    const auto state = [&](const char* what) {
      const Id<Tensor> mine = graph_.add({.name = graph_.tensor(weight).name + what,
                                          .kind = TensorKind::kWeight,
                                          .elements = graph_.tensor(weight).elements,
                                          .element = kStateElement});
      op.inputs.push_back(mine);
      op.outputs.push_back(mine);
    };
    if (training_.master_weights) {
      state(".master");
    } else {
      op.inputs.push_back(weight);
    }
    if (training_.optimizer == Optimizer::kAdam) {
      state(".mean");
      state(".square");
    }
  }

  // By value: operators are added while it is looked at.
  void differentiate(Operator op) {  // NOLINT(performance-unnecessary-value-param)
    if (std::ranges::none_of(op.outputs, [&](Id<Tensor> output) { return has_gradient(output); })) {
      return;  // only made for the operators behind it
    }
    switch (op.kind) {
      case OperatorKind::kConvolution:
      case OperatorKind::kFullyConnected:
        return contraction(op, gradient_of(op.outputs.front()), 0.0);
      case OperatorKind::kAttention:
        return attention(op);
      case OperatorKind::kAdditiveScores:
        return additive_scores(op);
      case OperatorKind::kCrossEntropy:
        return cross_entropy(op);
      case OperatorKind::kRecurrent:
        return recurrent(op);
      case OperatorKind::kMatmul:
        return matmul(op);
      case OperatorKind::kEmbedding:
        return embedding(op);
      case OperatorKind::kAdd:
        return add(op);
      case OperatorKind::kConcat:
        return concat(op);
      case OperatorKind::kNormalization:
        return op.rows_summed > 0.0 ? layer_norm(op) : cheap(op);
      case OperatorKind::kActivation:
        return op.inputs.size() > 1 ? multiply(op) : cheap(op);
      case OperatorKind::kPool:
      case OperatorKind::kSoftmax:
        return cheap(op);
      case OperatorKind::kUpdate:
        break;
    }
    throw Bug("a backward pass of what is not a forward operator");
  }

  // dX = dY W^T and dW = X^T dY: with m x n = (m x k)(k x n), the first is m x k with n summed
  // over, the second k x n with m summed over.
  void contraction(const Operator& op, Id<Tensor> dy, double vector_ops) {
    const Contraction& c = must_have(op.contraction, kNoContraction);
    const Id<Tensor> trained = must_have(op.weight, kNoWeight);
    Operator data{
        .name = op.name,
        .kind = op.kind,
        .pass = Pass::kDataGradient,
        .layer = op.layer,
        .contraction = Contraction{.m = c.m, .n = c.k, .k = c.n, .count = c.count, .taps = c.taps},
        .vector_ops = vector_ops,
        .inputs = {dy, trained}};
    data.outputs = new_gradients(op.inputs);
    if (!data.outputs.empty()) {
      graph_.operators.push_back(data);
    }
    Operator weight{
        .name = op.name,
        .kind = op.kind,
        .pass = Pass::kWeightGradient,
        .layer = op.layer,
        .contraction = Contraction{.m = c.k, .n = c.n, .k = c.m, .count = c.count, .taps = c.taps},
        .inputs = {dy}};
    for (const Id<Tensor> input : op.inputs) {
      if (input != trained && input != op.bias) {
        weight.inputs.push_back(input);
      }
    }
    add_weight_gradient(std::move(weight), trained);
    if (op.bias) {
      sum_of_rows(op, dy, *op.bias);
    }
  }

  // Of what is added to every row, or to every sample: dW is the sum of dY over these.
  void sum_of_rows(const Operator& op, Id<Tensor> dy, Id<Tensor> weight) {
    add_weight_gradient({.name = graph_.tensor(weight).name,
                         .kind = op.kind,
                         .pass = Pass::kWeightGradient,
                         .layer = op.layer,
                         .vector_ops = graph_.tensor(dy).elements,
                         .inputs = {dy}},
                        weight);
  }

  // All gradients by one kernel, which computes the scores again.
  void attention(const Operator& op) {
    constexpr double kProducts = 5.0;
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .attention = op.attention,
                  .vector_ops = op.vector_ops,
                  .inputs = {gradient_of(op.outputs.front())}};
    must_have(data.attention, "attention without heads").products = kProducts;
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    data.outputs = new_gradients(op.inputs);
    if (!data.outputs.empty()) {
      graph_.operators.push_back(std::move(data));
    }
  }

  // dq, dk and dv by one kernel, which computes the tangents again: as much as forward, and as much
  // for the three sums.
  void additive_scores(const Operator& op) {
    constexpr double kTimesForward = 2.0;
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .vector_ops = kTimesForward * op.vector_ops,
                  .inputs = {gradient_of(op.outputs.front())}};
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    data.outputs = new_gradients(op.inputs);
    data.outputs.push_back(weight_gradient(must_have(op.weight, kNoWeight)));
    graph_.operators.push_back(std::move(data));
  }

  // dX of each row by itself; dW sums over rows, by a kernel of its own that reads all again.
  void layer_norm(const Operator& op) {
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .vector_ops = op.vector_ops,
                  .rows_summed = op.rows_summed,
                  .inputs = {dy}};
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    Operator weight = data;
    if (has_gradient(op.inputs.front())) {
      data.outputs = {new_gradient(op.inputs.front())};
      graph_.operators.push_back(std::move(data));
    }
    if (op.weight) {
      weight.pass = Pass::kWeightGradient;
      weight.rows_summed = 0.0;
      add_weight_gradient(std::move(weight), *op.weight);
    }
  }

  // First the gradient of the logarithms, zero but for the right word of each row; then, with them,
  // that of what they were made of.
  void cross_entropy(const Operator& op) {
    if (!has_gradient(op.inputs.front())) {
      return;
    }
    const Id<Tensor> logarithms = op.outputs.front();
    if (graph_.tensor(logarithms).element) {  // probabilities, which one kernel makes a gradient of
      graph_.operators.push_back({.name = op.name,
                                  .kind = op.kind,
                                  .pass = Pass::kDataGradient,
                                  .layer = op.layer,
                                  .vector_ops = graph_.tensor(logarithms).elements,
                                  .inputs = {logarithms},
                                  .outputs = {new_gradient(op.inputs.front())}});
      return;
    }
    const Id<Tensor> gradient = graph_.add({.name = "d" + graph_.tensor(logarithms).name,
                                            .kind = TensorKind::kGradient,
                                            .elements = graph_.tensor(logarithms).elements});
    graph_.operators.push_back({.name = op.name + ".loss",
                                .kind = op.kind,
                                .pass = Pass::kDataGradient,
                                .layer = op.layer,
                                .inputs = {op.outputs.back()},
                                .outputs = {gradient}});
    graph_.operators.push_back({.name = op.name,
                                .kind = op.kind,
                                .pass = Pass::kDataGradient,
                                .layer = op.layer,
                                .vector_ops = op.vector_ops,
                                .inputs = {gradient, logarithms},
                                .outputs = {new_gradient(op.inputs.front())}});
  }

  // First from the gradient of h to that of the gates, element by element, with the state; the rest
  // is a contraction.
  void recurrent(const Operator& op) {
    if (op.turns > 1.0) {
      return recurrent_layer(op);
    }
    const Id<Tensor> dh = gradient_of(op.outputs.front());
    const Contraction& c = must_have(op.contraction, kNoContraction);
    const Id<Tensor> dgates = graph_.add(
        {.name = "d" + op.name + ".gates", .kind = TensorKind::kGradient, .elements = c.m * c.n});
    graph_.operators.push_back({.name = op.name + ".gates",
                                .kind = OperatorKind::kActivation,
                                .pass = Pass::kDataGradient,
                                .layer = op.layer,
                                .vector_ops = op.vector_ops,
                                .inputs = {dh, op.outputs.back()},
                                .outputs = {dgates}});
    contraction(op, dgates, 0.0);
  }

  // All steps in turn, back to the gates and from these, by W^T, to the state before; then one
  // product for the weight gradient of all steps, dW = Y^T dG with the steps in the sum.
  void recurrent_layer(const Operator& op) {
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    const Contraction& c = must_have(op.contraction, kNoContraction);
    const Id<Tensor> weight = must_have(op.weight, kNoWeight);
    Operator steps{.name = op.name,
                   .kind = op.kind,
                   .pass = Pass::kDataGradient,
                   .layer = op.layer,
                   .contraction = Contraction{.m = c.m, .n = c.k, .k = c.n},
                   .vector_ops = op.vector_ops,
                   .turns = op.turns,
                   .inputs = {dy, weight}};
    steps.inputs.insert(steps.inputs.end(), op.saved.begin(), op.saved.end());
    const Id<Tensor> dgates = new_gradient(op.inputs.front());
    steps.outputs = {dgates};
    graph_.operators.push_back(std::move(steps));
    add_weight_gradient({.name = op.name,
                         .kind = op.kind,
                         .pass = Pass::kWeightGradient,
                         .layer = op.layer,
                         .contraction = Contraction{.m = c.k, .n = c.n, .k = c.m * op.turns},
                         .inputs = {dgates, op.outputs.front()}},
                        weight);
  }

  // y = a b^T: da = dy b, db = dy^T a.
  void matmul(const Operator& op) {
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    const Contraction& c = must_have(op.contraction, kNoContraction);
    const std::size_t half = op.inputs.size() / 2;
    for (const bool left : {true, false}) {
      Operator data{
          .name = op.name,
          .kind = op.kind,
          .pass = Pass::kDataGradient,
          .layer = op.layer,
          .contraction = left ? Contraction{.m = c.m, .n = c.k, .k = c.n, .count = c.count}
                              : Contraction{.m = c.n, .n = c.k, .k = c.m, .count = c.count},
          .inputs = {dy}};
      for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        if ((i < half) != left) {
          data.inputs.push_back(op.inputs[i]);
        } else if (has_gradient(op.inputs[i])) {
          data.outputs.push_back(new_gradient(op.inputs[i]));
        }
      }
      if (!data.outputs.empty()) {
        graph_.operators.push_back(std::move(data));
      }
    }
  }

  // y = a b, element by element: da = dy b, db = dy a, each by a kernel of its own.
  void multiply(const Operator& op) {
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (has_gradient(op.inputs[i])) {
        graph_.operators.push_back({.name = op.name,
                                    .kind = op.kind,
                                    .pass = Pass::kDataGradient,
                                    .layer = op.layer,
                                    .vector_ops = op.vector_ops,
                                    .inputs = {dy, op.inputs[1 - i]},
                                    .outputs = {new_gradient(op.inputs[i])}});
      }
    }
  }

  void embedding(const Operator& op) {
    if (op.lookups) {
      return update_rows(op);
    }
    Operator weight{.name = op.name,
                    .kind = op.kind,
                    .pass = Pass::kWeightGradient,
                    .layer = op.layer,
                    .vector_ops = graph_.tensor(op.outputs.front()).elements,
                    .inputs = {gradient_of(op.outputs.front()), op.inputs.front()}};
    add_weight_gradient(std::move(weight), must_have(op.weight, kNoWeight));
  }

  // Of tables, no gradient is made: rows that were looked up are updated at once by that of their
  // sums.
  void update_rows(const Operator& op) {
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    const Id<Tensor> tables = must_have(op.weight, kNoWeight);
    Operator rows{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kUpdate,
                  .layer = op.layer,
                  .lookups = op.lookups,
                  .vector_ops = ops_of_update() * graph_.tensor(dy).elements * op.lookups->pooled,
                  .inputs = {dy, op.inputs.front()},
                  .outputs = {tables}};
    read_and_write_states(tables, rows);
    graph_.operators.push_back(std::move(rows));
  }

  // The gradient of a sum is that of each part.
  void add(const Operator& op) {
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    for (const Id<Tensor> input : op.inputs) {
      contribute(input, dy);
    }
    shared_.insert(dy);
    if (op.weight) {
      sum_of_rows(op, dy, *op.weight);
    }
  }

  // Each part's gradient is a piece of the whole's, where it is. A split is the same backwards:
  // the pieces' gradients form the whole's.
  void concat(const Operator& op) {
    if (op.outputs.size() > 1) {
      Operator join{.name = op.name,
                    .kind = OperatorKind::kConcat,
                    .pass = Pass::kDataGradient,
                    .layer = op.layer};
      for (const Id<Tensor> output : op.outputs) {
        join.inputs.push_back(gradient_of(output));
      }
      if (has_gradient(op.inputs.front())) {
        join.outputs = {new_gradient(op.inputs.front())};
        graph_.operators.push_back(std::move(join));
      }
      return;
    }
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    for (const Id<Tensor> input : op.inputs) {
      if (has_gradient(input)) {
        const Id<Tensor> piece = graph_.add_in_place({.name = "d" + graph_.tensor(input).name,
                                                      .kind = TensorKind::kGradient,
                                                      .elements = graph_.tensor(input).elements},
                                                     dy);
        contribute(input, piece);
      }
    }
  }

  void cheap(const Operator& op) {
    const Id<Tensor> input = op.inputs.front();
    const Id<Tensor> dy = gradient_of(op.outputs.front());
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .vector_ops = op.vector_ops,
                  .inputs = {dy}};
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    const bool in_place = graph_.tensor(op.outputs.front()).storage == graph_.tensor(input).storage;
    if (has_gradient(input)) {
      if (in_place && !shared_.contains(dy)) {
        data.outputs = {graph_.add_in_place({.name = "d" + graph_.tensor(input).name,
                                             .kind = TensorKind::kGradient,
                                             .elements = graph_.tensor(input).elements},
                                            dy)};
        contribute(input, data.outputs.front());
      } else {
        data.outputs = {new_gradient(input)};
      }
    }
    if (op.weight) {
      data.outputs.push_back(weight_gradient(*op.weight));
    }
    if (!data.outputs.empty()) {
      graph_.operators.push_back(std::move(data));
    }
  }

  [[nodiscard]] bool has_gradient(Id<Tensor> tensor) const {
    return graph_.tensor(tensor).kind == TensorKind::kFeatureMap;
  }

  Id<Tensor> new_gradient(Id<Tensor> tensor) {
    const Id<Tensor> gradient = graph_.add({.name = "d" + graph_.tensor(tensor).name,
                                            .kind = TensorKind::kGradient,
                                            .elements = graph_.tensor(tensor).elements,
                                            .element = graph_.tensor(tensor).element});
    contribute(tensor, gradient);
    return gradient;
  }

  // Of those that have one.
  std::vector<Id<Tensor>> new_gradients(const std::vector<Id<Tensor>>& tensors) {
    std::vector<Id<Tensor>> gradients;
    for (const Id<Tensor> tensor : tensors) {
      if (has_gradient(tensor)) {
        gradients.push_back(new_gradient(tensor));
      }
    }
    return gradients;
  }

  void contribute(Id<Tensor> tensor, Id<Tensor> gradient) {
    if (has_gradient(tensor)) {
      contributions_[tensor.index()].push_back(gradient);
    }
  }

  // The sum of what all readers of `tensor` contributed.
  Id<Tensor> gradient_of(Id<Tensor> tensor) {
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

  Id<Tensor> weight_gradient(Id<Tensor> weight) {
    auto& gradient = weight_gradient_[weight.index()];
    if (!gradient) {
      gradient = graph_.add(
          {.name = "d" + graph_.tensor(weight).name,
           .kind = TensorKind::kWeightGradient,
           .elements = graph_.tensor(weight).elements,
           .element = training_.fp32_gradients ? std::optional(kStateElement) : std::nullopt});
      updates_.push_back(weight);
    }
    return *gradient;
  }

  // Further uses of a weight add to the gradient of the first.
  void add_weight_gradient(Operator op, Id<Tensor> weight) {
    const bool first = !weight_gradient_[weight.index()];
    const Id<Tensor> gradient = weight_gradient(weight);
    if (!first) {
      op.inputs.push_back(gradient);
    }
    op.outputs = {gradient};
    graph_.operators.push_back(std::move(op));
  }

  Graph graph_;
  Training training_;
  std::vector<std::vector<Id<Tensor>>> contributions_;      // by forward tensor
  std::vector<std::optional<Id<Tensor>>> weight_gradient_;  // by forward tensor
  std::vector<std::optional<Id<Operator>>> reader_;         // by weight: the last forward operator
  std::vector<Id<Tensor>> updates_;                         // weights, as their gradients appear
  std::set<Id<Tensor>> shared_;                             // gradients that several will read
};

}  // namespace

Graph with_backward_pass(Graph forward, const Training& training) {
  Graph graph = BackwardPass(std::move(forward), training).run();
  return training.checkpoints == Checkpoints::kNone
             ? graph
             : with_recomputation(graph, training.checkpoints);
}

}  // namespace cairn::model
