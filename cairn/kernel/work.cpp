#include "cairn/kernel/work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "cairn/base/must_have.hpp"
#include "cairn/model/looked_up.hpp"

namespace cairn::kernel {

namespace {

using model::Operator;
using model::OperatorKind;
using model::Pass;
using model::Tensor;
using model::TensorKind;

// Which operand of the contraction an input is. Forward and dX: the weight is the right one; dW:
// the gradient of the output; of a product of two feature maps: the second.
bool is_right(const model::Graph& graph, const Operator& op, std::size_t input) {
  const TensorKind kind = graph.tensor(op.inputs[input]).kind;
  if (op.pass == Pass::kWeightGradient) {
    return input == 0;
  }
  if (op.kind == OperatorKind::kMatmul) {
    // Forward the two halves, backward dy and one of them.
    return op.pass == Pass::kForward ? 2 * input >= op.inputs.size() : input > 0;
  }
  return kind == TensorKind::kWeight;
}

// Pieces of a tensor that are left where they are.
bool only_renames(const model::Graph& graph, const Operator& op) {
  const auto storage = [&](Id<Tensor> id) { return graph.tensor(id).storage; };
  return op.kind == OperatorKind::kConcat && op.inputs.size() == 1 &&
         std::ranges::all_of(op.outputs, [&](Id<Tensor> output) {
           return storage(output) == storage(op.inputs.front());
         });
}

// The greatest common divisor of two lengths; nothing of one that is no whole number.
double common_step(double one, double other) {
  constexpr double kMostExact = 9007199254740992.0;  // 2^53
  const auto exact = [](double length) {
    return length > 0.0 && length < kMostExact && length == std::floor(length);
  };
  return exact(one) && exact(other)
             ? static_cast<double>(
                   std::gcd(static_cast<std::uint64_t>(one), static_cast<std::uint64_t>(other)))
             : 0.0;
}

// A window of one pixel makes a convolution a plain product.
bool has_windows(const Operator& op) {
  return op.kind == OperatorKind::kConvolution && op.contraction && op.contraction->taps > 1.0;
}

Windows windows_of(const Operator& op) {
  if (!has_windows(op)) {
    return Windows::kNone;
  }
  return op.pass == Pass::kForward        ? Windows::kForward
         : op.pass == Pass::kDataGradient ? Windows::kData
                                          : Windows::kWeight;
}

// Features of a sample lie side by side, so that rows are as long as a layer is wide: forward and
// for dX the sums and columns of the product, for dW its rows and columns. Of a convolution what
// counts is the map whose windows are gathered, with the channels of a pixel side by side.
double row_step_of(const Operator& op) {
  if (!op.contraction) {
    return 0.0;
  }
  const model::Contraction& c = *op.contraction;
  switch (windows_of(op)) {
    case Windows::kForward:
      return common_step(c.k / c.taps, c.k / c.taps);
    case Windows::kData:
      return common_step(c.k, c.k);
    case Windows::kWeight:
      return common_step(c.m / c.taps, c.m / c.taps);
    case Windows::kNone:
      break;
  }
  return common_step(op.pass == Pass::kWeightGradient ? c.m : c.k, c.n);
}

// Every turn reads the weight, and what the last turn gave as the left operand; all other tensors
// are read or written once.
void read_in_turns(const model::Graph& graph, const Operator& op, Work& work) {
  const model::Contraction& c = must_have(op.contraction, "turns of what is no product");
  work.left = work.element() * (c.m * c.k * op.turns);
  const auto once = [&](Id<Tensor> id) {
    const Bytes size = model::bytes_of(graph.tensor(id), work.element());
    if (graph.tensor(id).kind == TensorKind::kWeight) {
      work.right += size * op.turns;
    } else {
      work.other += size;
    }
  };
  std::ranges::for_each(op.inputs, once);
  std::ranges::for_each(op.outputs, once);
}

bool is_table(const model::Graph& graph, const Operator& op, Id<Tensor> tensor) {
  const TensorKind kind = graph.tensor(tensor).kind;
  return op.kind == OperatorKind::kEmbedding &&
         (kind == TensorKind::kWeight || kind == TensorKind::kWeightGradient);
}

chip::LibraryOperator library_operator(const Operator& op) {
  using Library = chip::LibraryOperator;
  const bool forward = op.pass == Pass::kForward;
  switch (op.kind) {
    case OperatorKind::kConvolution:
      return has_windows(op) ? Library::kConvolution : Library::kFullyConnected;
    case OperatorKind::kFullyConnected:
      return Library::kFullyConnected;
    case OperatorKind::kMatmul:
      return Library::kMatmul;
    case OperatorKind::kAttention:
      return forward ? Library::kAttention : Library::kAttentionBackward;
    case OperatorKind::kRecurrent:
      return Library::kRecurrent;
    case OperatorKind::kAdditiveScores:
    case OperatorKind::kActivation:
      return Library::kActivation;
    case OperatorKind::kPool:
      return forward ? Library::kPool : Library::kPoolBackward;
    case OperatorKind::kNormalization:
      // Over the batch, all gradients are one operator's.
      if (op.rows_summed == 0.0 && op.pass != Pass::kWeightGradient) {
        return forward ? Library::kNormalization : Library::kNormalizationBackward;
      }
      return forward ? Library::kLayerNorm : Library::kLayerNormBackward;
    case OperatorKind::kSoftmax:
      return Library::kSoftmax;
    case OperatorKind::kCrossEntropy:
      return Library::kCrossEntropy;
    case OperatorKind::kConcat:
      return Library::kConcat;
    case OperatorKind::kAdd:
      return Library::kAdd;
    case OperatorKind::kEmbedding:
      return Library::kEmbedding;
    case OperatorKind::kUpdate:
      break;
  }
  return Library::kUpdate;
}

}  // namespace

Work work_of(const model::Contraction& product, chip::Precision precision) {
  const auto& [m, n, k, count, taps] = product;
  const Bytes element = chip::element_bytes(precision);
  return {.op = chip::LibraryOperator::kFullyConnected,
          .contraction = product,
          .left = element * (m * k * count),
          .right = element * (k * n * count),
          .other = element * (m * n * count),
          .row_step = common_step(k, n),
          .precision = precision};
}

Work work_of(const model::Attention& attention, chip::Precision precision) {
  constexpr double kRowNumber = 4.0;
  const double count = attention.samples * attention.heads;
  const double queries = count * attention.queries * attention.width;
  const double keys = attention.samples * attention.key_heads.value_or(attention.heads) *
                      attention.keys * attention.width;
  // Q, K, V and O; backward also dO and the gradients of the first three.
  const bool backward = attention.products > 2.0;
  const double maps = (backward ? 4.0 : 2.0) * queries + (backward ? 4.0 : 2.0) * keys;
  return {.op = backward ? chip::LibraryOperator::kAttentionBackward
                         : chip::LibraryOperator::kAttention,
          .attention = attention,
          .vector_ops = attention.vector_ops(),
          .other =
              chip::element_bytes(precision) * maps + Bytes(kRowNumber * count * attention.queries),
          .precision = precision};
}

Work work_of(const model::Graph& graph, const Operator& op, chip::Precision precision) {
  Work work{.op = library_operator(op),
            .contraction = op.contraction,
            .attention = op.attention,
            .vector_ops = op.vector_ops,
            .turns = op.turns,
            .row_step = row_step_of(op),
            .windows = windows_of(op),
            .precision = precision};
  const Bytes element = work.element();
  const auto bytes = [&](Id<Tensor> id) { return model::bytes_of(graph.tensor(id), element); };
  if (only_renames(graph, op)) {
    return work;
  }
  if (op.turns > 1.0) {
    read_in_turns(graph, op, work);
    return work;
  }
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const Bytes size = bytes(op.inputs[i]);
    const TensorKind kind = graph.tensor(op.inputs[i]).kind;
    if (is_table(graph, op, op.inputs[i])) {
      work.other += model::looked_up(graph, op, op.inputs[i], element);
    } else if (!op.contraction || kind == TensorKind::kWeightGradient || op.inputs[i] == op.bias) {
      work.other += size;
    } else {
      (is_right(graph, op, i) ? work.right : work.left) += size;
    }
  }
  if (op.kind == OperatorKind::kConvolution && op.contraction) {
    // Pixels between windows that are farther apart than they are long are not read.
    const model::Contraction& c = *op.contraction;
    work.left = std::min(work.left, element * (c.m * c.k * c.count));
  }
  for (const Id<Tensor> output : op.outputs) {
    work.other +=
        is_table(graph, op, output) ? model::looked_up(graph, op, output, element) : bytes(output);
  }
  return work;
}

}  // namespace cairn::kernel
