#include "cairn/model/backward.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/must_have.hpp"
#include "cairn/model/gradients.hpp"
#include "cairn/model/optimizer.hpp"
#include "cairn/model/recompute.hpp"

namespace cairn::model {

namespace {

constexpr const char* kNoContraction = "an operator without the contraction of its kind";
constexpr const char* kNoWeight = "an operator without the weight of its kind";

class BackwardPass {
 public:
  BackwardPass(Graph forward, const Training& training)
      : graph_(std::move(forward)),
        training_(training),
        gradients_(graph_, training),
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
    for (const Id<Tensor> weight : gradients_.weights()) {
      update(weight);
    }
    for (Operator& op : graph_.operators) {
      op.background = op.lookups && training_.tables == Tables::kBackground;
    }
    return std::move(graph_);
  }

 private:
  void update(Id<Tensor> weight) {
    Operator op{.name = graph_.tensor(weight).name,
                .kind = OperatorKind::kUpdate,
                .pass = Pass::kUpdate,
                .layer = graph_.layers == 0 ? 0 : graph_.layers - 1,
                .vector_ops = ops_of_update(training_) * graph_.tensor(weight).elements,
                .inputs = {gradients_.of_weight(weight)},
                .outputs = {weight},
                .forward = reader_[weight.index()]};
    read_and_write_states(graph_, training_, weight, op);
    graph_.operators.push_back(std::move(op));
  }

  // By value: operators are appended meanwhile.
  void differentiate(Operator op) {  // NOLINT(performance-unnecessary-value-param)
    if (std::ranges::none_of(op.outputs,
                             [&](Id<Tensor> output) { return gradients_.has_one(output); })) {
      return;  // no output has a gradient
    }
    switch (op.kind) {
      case OperatorKind::kConvolution:
      case OperatorKind::kFullyConnected:
        return contraction(op, gradients_.sum_of(op.outputs.front()), 0.0);
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
    throw Bug("an operator without a backward pass");
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
    data.outputs = gradients_.make_all(op.inputs);
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
    gradients_.add_of_weight(std::move(weight), trained);
    if (op.bias) {
      sum_of_rows(op, dy, *op.bias);
    }
  }

  // A bias or position embedding: dW is the sum of dY over rows, or over samples.
  void sum_of_rows(const Operator& op, Id<Tensor> dy, Id<Tensor> weight) {
    gradients_.add_of_weight({.name = graph_.tensor(weight).name,
                              .kind = op.kind,
                              .pass = Pass::kWeightGradient,
                              .layer = op.layer,
                              .vector_ops = graph_.tensor(dy).elements,
                              .inputs = {dy}},
                             weight);
  }

  // All gradients in one kernel, which recomputes the scores.
  void attention(const Operator& op) {
    constexpr double kGemms = 5.0;
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .attention = op.attention,
                  .vector_ops = op.vector_ops,
                  .inputs = {gradients_.sum_of(op.outputs.front())}};
    must_have(data.attention, "attention without heads").products = kGemms;
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    data.outputs = gradients_.make_all(op.inputs);
    if (!data.outputs.empty()) {
      graph_.operators.push_back(std::move(data));
    }
  }

  // dq, dk and dv in one kernel, which recomputes the tangents: the forward work, and as much for
  // the three sums.
  void additive_scores(const Operator& op) {
    constexpr double kTimesForward = 2.0;
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .vector_ops = kTimesForward * op.vector_ops,
                  .inputs = {gradients_.sum_of(op.outputs.front())}};
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    data.outputs = gradients_.make_all(op.inputs);
    data.outputs.push_back(gradients_.of_weight(must_have(op.weight, kNoWeight)));
    graph_.operators.push_back(std::move(data));
  }

  // dX row by row; dW sums over rows, in a separate kernel that reads X and dY again.
  void layer_norm(const Operator& op) {
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .vector_ops = op.vector_ops,
                  .rows_summed = op.rows_summed,
                  .rows_of_heads = op.rows_of_heads,
                  .inputs = {dy}};
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    Operator weight = data;
    if (gradients_.has_one(op.inputs.front())) {
      data.outputs = {gradients_.make(op.inputs.front())};
      graph_.operators.push_back(std::move(data));
    }
    if (op.weight) {
      weight.pass = Pass::kWeightGradient;
      weight.rows_summed = 0.0;
      gradients_.add_of_weight(std::move(weight), *op.weight);
    }
  }

  // First the gradient of the log-probabilities, zero but for the label of each row; then, with the
  // log-probabilities, the gradient of the logits.
  void cross_entropy(const Operator& op) {
    if (!gradients_.has_one(op.inputs.front())) {
      return;
    }
    const Id<Tensor> log_probabilities = op.outputs.front();
    if (graph_.tensor(log_probabilities).element) {  // fp32 probabilities: one kernel
      graph_.operators.push_back({.name = op.name,
                                  .kind = op.kind,
                                  .pass = Pass::kDataGradient,
                                  .layer = op.layer,
                                  .vector_ops = graph_.tensor(log_probabilities).elements,
                                  .inputs = {log_probabilities},
                                  .outputs = {gradients_.make(op.inputs.front())}});
      return;
    }
    const Id<Tensor> gradient = graph_.add({.name = "d" + graph_.tensor(log_probabilities).name,
                                            .kind = TensorKind::kGradient,
                                            .elements = graph_.tensor(log_probabilities).elements});
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
                                .inputs = {gradient, log_probabilities},
                                .outputs = {gradients_.make(op.inputs.front())}});
  }

  // First the gradient of the gates from dh and the saved state, element-wise; the rest is a
  // contraction.
  void recurrent(const Operator& op) {
    if (op.turns > 1.0) {
      return recurrent_layer(op);
    }
    const Id<Tensor> dh = gradients_.sum_of(op.outputs.front());
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

  // All steps in sequence, from dh to the gates and from these, by W^T, to the previous state; then
  // one GEMM for the weight gradient of all steps, dW = Y^T dG, summed over steps.
  void recurrent_layer(const Operator& op) {
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
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
    const Id<Tensor> dgates = gradients_.make(op.inputs.front());
    steps.outputs = {dgates};
    graph_.operators.push_back(std::move(steps));
    gradients_.add_of_weight({.name = op.name,
                              .kind = op.kind,
                              .pass = Pass::kWeightGradient,
                              .layer = op.layer,
                              .contraction = Contraction{.m = c.k, .n = c.n, .k = c.m * op.turns},
                              .inputs = {dgates, op.outputs.front()}},
                             weight);
  }

  // y = a b^T: da = dy b, db = dy^T a.
  void matmul(const Operator& op) {
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
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
        } else if (gradients_.has_one(op.inputs[i])) {
          data.outputs.push_back(gradients_.make(op.inputs[i]));
        }
      }
      if (!data.outputs.empty()) {
        graph_.operators.push_back(std::move(data));
      }
    }
  }

  // y = a b, element-wise: da = dy b, db = dy a, each in its own kernel.
  void multiply(const Operator& op) {
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (gradients_.has_one(op.inputs[i])) {
        graph_.operators.push_back({.name = op.name,
                                    .kind = op.kind,
                                    .pass = Pass::kDataGradient,
                                    .layer = op.layer,
                                    .vector_ops = op.vector_ops,
                                    .inputs = {dy, op.inputs[1 - i]},
                                    .outputs = {gradients_.make(op.inputs[i])}});
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
                    .inputs = {gradients_.sum_of(op.outputs.front()), op.inputs.front()}};
    gradients_.add_of_weight(std::move(weight), must_have(op.weight, kNoWeight));
  }

  // Tables have no gradient tensor: looked-up rows are updated at once, by the gradient of their
  // sum.
  void update_rows(const Operator& op) {
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
    const Id<Tensor> tables = must_have(op.weight, kNoWeight);
    Operator rows{
        .name = op.name,
        .kind = op.kind,
        .pass = Pass::kUpdate,
        .layer = op.layer,
        .lookups = op.lookups,
        .vector_ops = ops_of_update(training_) * graph_.tensor(dy).elements * op.lookups->pooled,
        .inputs = {dy, op.inputs.front()},
        .outputs = {tables}};
    read_and_write_states(graph_, training_, tables, rows);
    graph_.operators.push_back(std::move(rows));
  }

  // The gradient of a sum is the gradient of each input.
  void add(const Operator& op) {
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
    for (const Id<Tensor> input : op.inputs) {
      gradients_.contribute(input, dy);
    }
    gradients_.share(dy);
    if (op.weight) {
      sum_of_rows(op, dy, *op.weight);
    }
  }

  // Each input's gradient is a view of dY. A split is the reverse: the parts' gradients are
  // concatenated.
  void concat(const Operator& op) {
    if (op.outputs.size() > 1) {
      Operator join{.name = op.name,
                    .kind = OperatorKind::kConcat,
                    .pass = Pass::kDataGradient,
                    .layer = op.layer};
      for (const Id<Tensor> output : op.outputs) {
        join.inputs.push_back(gradients_.sum_of(output));
      }
      if (gradients_.has_one(op.inputs.front())) {
        join.outputs = {gradients_.make(op.inputs.front())};
        graph_.operators.push_back(std::move(join));
      }
      return;
    }
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
    for (const Id<Tensor> input : op.inputs) {
      if (gradients_.has_one(input)) {
        gradients_.make_in_place(input, dy);
      }
    }
  }

  void cheap(const Operator& op) {
    const Id<Tensor> input = op.inputs.front();
    const Id<Tensor> dy = gradients_.sum_of(op.outputs.front());
    Operator data{.name = op.name,
                  .kind = op.kind,
                  .pass = Pass::kDataGradient,
                  .layer = op.layer,
                  .vector_ops = op.vector_ops,
                  .inputs = {dy}};
    data.inputs.insert(data.inputs.end(), op.saved.begin(), op.saved.end());
    const bool in_place = graph_.tensor(op.outputs.front()).storage == graph_.tensor(input).storage;
    if (gradients_.has_one(input)) {
      if (in_place && !gradients_.is_shared(dy)) {
        data.outputs = {gradients_.make_in_place(input, dy)};
      } else {
        data.outputs = {gradients_.make(input)};
      }
    }
    if (op.weight) {
      data.outputs.push_back(gradients_.of_weight(*op.weight));
    }
    if (!data.outputs.empty()) {
      graph_.operators.push_back(std::move(data));
    }
  }

  Graph graph_;
  Training training_;
  Gradients gradients_;
  std::vector<std::optional<Id<Operator>>> reader_;  // by weight: the last forward operator
};

}  // namespace

Graph with_backward_pass(Graph forward, const Training& training) {
  Graph graph = BackwardPass(std::move(forward), training).run();
  return training.checkpoints == Checkpoints::kNone
             ? graph
             : with_recomputation(graph, training.checkpoints);
}

}  // namespace cairn::model
