// The training graph: operators that read and write tensors, as vectors and indices. It does not
// depend on hardware: sizes are in elements, work in multiply-accumulates (MACs).
//
// Operators are in topological order. Every tensor is written by one operator, except weight
// gradients, which all uses of a shared weight (the steps of a recurrent layer) accumulate into.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/id.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/model/operator_kind.hpp"

namespace cairn::model {

enum class TensorKind : std::uint8_t {
  kData,            // external input: samples, labels
  kActivation,      // activation: input or output of a layer (X, Y)
  kState,           // saved for the backward pass besides activations: gates and cell state of a
                    // recurrent cell, row statistics of a normalization
  kIndices,         // positions of a pool's maxima, masks
  kWeight,          // W
  kGradient,        // of an activation (dX, dY)
  kWeightGradient,  // dW
};

std::string_view to_text(TensorKind kind);

struct Tensor {
  std::string name{};
  TensorKind kind = TensorKind::kActivation;
  double elements = 0.0;  // of the whole batch
  // Bytes of an element that does not have the training precision: masks, indices, fp32 states.
  std::optional<Bytes> element{};
  // The tensor whose storage this one shares (in-place operators, views); itself if it has its own.
  Id<Tensor> storage{};
};

// `precision`: bytes of an element in the training precision.
Bytes bytes_of(const Tensor& tensor, Bytes precision);

enum class Pass : std::uint8_t { kForward, kDataGradient, kWeightGradient, kUpdate };

std::string_view to_text(Pass pass);

// `count` GEMMs (m x k)(k x n). A convolution is one with m = samples x output
// positions, n = output channels, k = input channels x window (implicit GEMM), one per group.
struct Contraction {
  double m = 0.0;
  double n = 0.0;
  double k = 0.0;
  double count = 1.0;
  double taps = 1.0;  // positions of a convolution's window: k is `taps` runs of channels

  [[nodiscard]] double macs() const { return m * n * k * count; }
};

// Scaled dot-product attention that never stores its scores (queries x keys; Dao et al.,
// FlashAttention, NeurIPS 2022). For each sample and head, with P = softmax(S) by rows,
//
//   forward, 2 GEMMs     S = Q K^T, O = P V
//   backward, 5 GEMMs    S recomputed, dP = dO V^T, dV = P^T dO, dQ = dS K, dK = dS^T Q
//
// with queries x keys x width MACs each, half of that if causal.
struct Attention {
  double samples = 1.0;
  double heads = 1.0;
  // KV heads of grouped-query attention (Ainslie et al., GQA, 2023); none: as many as heads.
  std::optional<double> key_heads{};
  double queries = 1.0;   // rows of Q and O
  double keys = 1.0;      // rows of K and V
  double width = 1.0;     // head dimension
  double products = 2.0;  // GEMMs: 2 forward, 5 backward
  bool causal = false;
  double window = 0.0;  // sliding: a query attends to the last keys only, this many; 0: to all

  [[nodiscard]] bool is_sliding() const { return window > 0.0 && window < keys; }

  [[nodiscard]] double macs() const { return products * scores() * width; }

  // Pairs of a query and a key that it attends to. With a window of W of S keys, query i attends to
  // min(i, W): on average W - W^2 / 2S instead of S / 2.
  [[nodiscard]] double scores() const {
    const double reach = is_sliding() ? window * (2.0 - window / keys) : keys;
    return samples * heads * queries * reach * (causal ? 0.5 : 1.0);
  }

  // Per score, forward: scale, maximum, exponential, sum; backward: scale, exponential, subtract,
  // multiply.
  [[nodiscard]] double vector_ops() const { return 4.0 * scores(); }
};

// An embedding bag: `pooled` rows of each table are looked up and summed per sample. Only these
// rows are updated.
struct Lookups {
  double tables = 1.0;
  double pooled = 1.0;
};

struct Operator {
  std::string name{};
  OperatorKind kind = OperatorKind::kActivation;
  Pass pass = Pass::kForward;
  // Layers are counted as the literature does: by convolutions, fully connected layers and steps of
  // recurrent ones. Other operators belong to the layer before them.
  std::uint32_t layer = 0;
  std::uint32_t block = 0;  // repeated block of layers, counted from 1; 0: in none
  // Runs in the background: reads results of the previous step, and its own are read in the next.
  bool background = false;
  // The attention whose stored scores this operator computes (GEMMs, softmax, dropout), counted
  // from 1; 0: none. Selective recomputation repeats these: large tensors, little work.
  std::uint32_t scores = 0;
  bool again = false;  // forward, recomputed for the backward pass (training.hpp)
  std::optional<Contraction> contraction{};
  std::optional<Attention> attention{};
  std::optional<Lookups> lookups{};
  double vector_ops = 0.0;  // element-wise operations, besides contractions and attention
  // Sequential repetitions of the contraction, each on the result of the last (the steps of a
  // recurrent layer). Elements of tensors and vector_ops are totals over all repetitions.
  double turns = 1.0;
  // Rows of an operator that reduces over the channels of each row (softmax, layer norm).
  double rows_summed = 0.0;
  // Each of these rows is within a head, and all heads share the weight: a split by heads needs no
  // exchange.
  bool rows_of_heads = false;
  std::vector<Id<Tensor>> inputs{};
  std::vector<Id<Tensor>> outputs{};
  // Forward operators only.
  std::optional<Id<Tensor>> weight{};  // the trained input
  std::optional<Id<Tensor>> bias{};    // trained input with one number per column
  std::vector<Id<Tensor>> saved{};     // read by the backward pass, besides gradients
  // Other operators only: the forward operator they differentiate or recompute; for updates, the
  // last reader of the weight.
  std::optional<Id<Operator>> forward{};

  [[nodiscard]] const OperatorProperties& properties() const { return properties_of(kind); }

  [[nodiscard]] bool in_backward_pass() const { return pass != Pass::kForward || again; }

  // Sums gradients of one tensor.
  [[nodiscard]] bool sums_gradients() const {
    return kind == OperatorKind::kAdd && pass == Pass::kDataGradient;
  }

  // An update of a whole weight; looked-up rows are updated by their embedding.
  [[nodiscard]] bool updates_weight() const { return kind == OperatorKind::kUpdate; }

  [[nodiscard]] double macs() const {
    return turns * (contraction ? contraction->macs() : 0.0) +
           (attention ? attention->macs() : 0.0);
  }
};

struct Graph {
  std::string name{};
  double batch = 1.0;  // samples
  std::vector<Tensor> tensors{};
  std::vector<Operator> operators{};
  std::uint32_t layers = 0;

  [[nodiscard]] const Tensor& tensor(Id<Tensor> id) const { return tensors[id.index()]; }

  // Adds a tensor with its own storage.
  Id<Tensor> add(Tensor tensor);
  // Adds a tensor in the storage of `host`.
  Id<Tensor> add_in_place(Tensor tensor, Id<Tensor> host);
};

// MACs of all operators without recomputation.
double macs_of(const Graph& graph);

// Totals over the forward pass.
struct Counts {
  double parameters = 0.0;
  double macs = 0.0;                 // of the whole batch
  double contraction_inputs = 0.0;   // elements of distinct activations and data read by them
  double contraction_outputs = 0.0;  // elements written by contractions
};

Counts count(const Graph& graph);

}  // namespace cairn::model
