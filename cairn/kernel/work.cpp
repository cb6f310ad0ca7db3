#include "cairn/kernel/work.hpp"

#include <algorithm>
#include <array>
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

// Whether an input is the right operand of the contraction: forward and dX the weight, dW the
// gradient of the output, for a matmul of two activations the second.
bool is_right(const model::Graph& graph, const Operator& op, std::size_t input) {
  const TensorKind kind = graph.tensor(op.inputs[input]).kind;
  if (op.pass == Pass::kWeightGradient) {
    return input == 0;
  }
  if (op.kind == OperatorKind::kMatmul) {
    // Forward: the two halves of the inputs. Backward: dy, then one of the operands.
    return op.pass == Pass::kForward ? 2 * input >= op.inputs.size() : input > 0;
  }
  return kind == TensorKind::kWeight;
}

// Whether the outputs are views of the input.
bool is_view(const model::Graph& graph, const Operator& op) {
  const auto storage = [&](Id<Tensor> id) { return graph.tensor(id).storage; };
  return op.kind == OperatorKind::kConcat && op.inputs.size() == 1 &&
         std::ranges::all_of(op.outputs, [&](Id<Tensor> output) {
           return storage(output) == storage(op.inputs.front());
         });
}

// The greatest common divisor of two lengths; 0 if one is not a positive integer.
double common_step(double one, double other) {
  constexpr double kMaxExact = 9007199254740992.0;  // 2^53
  const auto exact = [](double length) {
    return length > 0.0 && length < kMaxExact && length == std::floor(length);
  };
  return exact(one) && exact(other)
             ? static_cast<double>(
                   std::gcd(static_cast<std::uint64_t>(one), static_cast<std::uint64_t>(other)))
             : 0.0;
}

// A 1 x 1 convolution is a plain GEMM.
bool has_windows(const Operator& op) {
  return op.contraction && op.contraction->taps > 1.0;
}

Windows windows_of(const Operator& op) {
  if (!has_windows(op)) {
    return Windows::kNone;
  }
  return op.pass == Pass::kForward        ? Windows::kForward
         : op.pass == Pass::kDataGradient ? Windows::kData
                                          : Windows::kWeight;
}

// Features of a sample are contiguous, so that rows are as long as a layer is wide: k and n forward
// and for dX, m and n for dW. For a convolution the feature map that is gathered counts, in
// channels-last layout.
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

// Every step reads the weight, and the previous state as the left operand; all other tensors are
// read or written once.
void add_recurrent_bytes(const model::Graph& graph, const Operator& op, Work& work) {
  const model::Contraction& c = must_have(op.contraction, "a contraction of a recurrent operator");
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
  return op.properties().looks_up_rows &&
         (kind == TensorKind::kWeight || kind == TensorKind::kWeightGradient);
}

// The library's kernels of a kind, by OperatorKind: forward, and in other passes.
struct LibraryOperators {
  chip::LibraryOperator forward{};
  chip::LibraryOperator other{};
};

constexpr std::array<LibraryOperators, model::kOperatorKinds> kLibraryOperators = [] {
  using enum chip::LibraryOperator;
  return std::array<LibraryOperators, model::kOperatorKinds>{{
      {kConvolution, kConvolution},
      {kFullyConnected, kFullyConnected},
      {kMatmul, kMatmul},
      {kAttention, kAttentionBackward},
      {kActivation, kActivation},  // additive scores
      {kRecurrent, kRecurrent},
      {kActivation, kActivation},
      {kPool, kPoolBackward},
      {kNormalization, kNormalizationBackward},
      {kSoftmax, kSoftmax},
      {kCrossEntropy, kCrossEntropy},
      {kConcat, kConcat},
      {kAdd, kAdd},
      {kEmbedding, kEmbedding},
      {kUpdate, kUpdate},
  }};
}();

chip::LibraryOperator library_operator(const Operator& op) {
  using Library = chip::LibraryOperator;
  const auto& [forward, other] = kLibraryOperators[static_cast<std::size_t>(op.kind)];
  const Library found = op.pass == Pass::kForward ? forward : other;
  if (found == Library::kConvolution && !has_windows(op)) {
    return Library::kFullyConnected;
  }
  // A layer norm sums the channels of each row. A batch norm computes all gradients in one
  // operator.
  const bool by_rows = op.rows_summed > 0.0 || op.pass == Pass::kWeightGradient;
  if (found == Library::kNormalization && by_rows) {
    return Library::kLayerNorm;
  }
  if (found == Library::kNormalizationBackward && by_rows) {
    return Library::kLayerNormBackward;
  }
  return found;
}

}  // namespace

Work work_of(const model::Contraction& gemm, chip::Precision precision) {
  const auto& [m, n, k, count, taps] = gemm;
  const Bytes element = chip::element_bytes(precision);
  return {.op = chip::LibraryOperator::kFullyConnected,
          .contraction = gemm,
          .left = element * (m * k * count),
          .right = element * (k * n * count),
          .other = element * (m * n * count),
          .row_step = common_step(k, n),
          .precision = precision};
}

Work work_of(const model::Attention& attention, chip::Precision precision) {
  constexpr double kRowStatistic = 4.0;  // bytes: log-sum-exp of a row
  const double count = attention.samples * attention.heads;
  const double queries = count * attention.queries * attention.width;
  const double keys = attention.samples * attention.key_heads.value_or(attention.heads) *
                      attention.keys * attention.width;
  // Q, K, V and O; backward also dO and the gradients of the first three.
  const bool backward = attention.products > 2.0;
  const double elements = (backward ? 4.0 : 2.0) * queries + (backward ? 4.0 : 2.0) * keys;
  return {.op = backward ? chip::LibraryOperator::kAttentionBackward
                         : chip::LibraryOperator::kAttention,
          .attention = attention,
          .vector_ops = attention.vector_ops(),
          .other = chip::element_bytes(precision) * elements +
                   Bytes(kRowStatistic * count * attention.queries),
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
  if (is_view(graph, op)) {
    return work;
  }
  if (op.turns > 1.0) {
    add_recurrent_bytes(graph, op, work);
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
  if (op.properties().layer == model::LayerClass::kConvolution && op.contraction) {
    // With a stride longer than the window, pixels between windows are not read.
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
