// What is trained: operators that read and write tensors, as vectors and indices. No machine in
// sight: sizes are in elements, work in multiply-accumulates; how wide an element is, and on how
// many devices all this runs, is decided elsewhere.
//
// Operators are in an order in which they can run. Every tensor is written by one operator, except
// weight gradients, which the uses of a shared weight (the steps of a recurrent layer) add to in
// turn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/id.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::model {

enum class TensorKind : std::uint8_t {
  kData,            // comes from outside: samples, labels
  kFeatureMap,      // what a layer makes of its input (X, Y)
  kState,           // what an operator keeps for its backward pass besides feature maps: gates and
                    // cell state of a recurrent cell, sums over the rows of a normalization
  kIndices,         // where a pool found its maxima
  kWeight,          // W
  kGradient,        // of a feature map (dX, dY)
  kWeightGradient,  // dW
};

std::string_view to_text(TensorKind kind);

struct Tensor {
  std::string name{};
  TensorKind kind = TensorKind::kFeatureMap;
  double elements = 0.0;  // of the whole batch
  // Of an element, where it does not depend on the precision that is trained in: masks, indices.
  std::optional<Bytes> element{};
  // The tensor whose storage this one uses (an activation in place), itself if it has its own.
  Id<Tensor> storage{};
};

// `precision`: of an element that is trained in it.
Bytes bytes_of(const Tensor& tensor, Bytes precision);

enum class OperatorKind : std::uint8_t {
  kConvolution,
  kFullyConnected,
  kMatmul,  // of two feature maps
  kAttention,
  kAdditiveScores,  // of each query for each key, v tanh(q + k) (Bahdanau et al. 2015)
  kRecurrent,
  kActivation,
  kPool,
  kNormalization,
  kSoftmax,
  kCrossEntropy,  // probabilities and their loss
  kConcat,
  kAdd,
  kEmbedding,
  kUpdate,  // of a weight by its gradient
};

inline constexpr std::size_t kOperatorKinds = 15;

std::string_view to_text(OperatorKind kind);

// Short computation for the data it touches, so that redoing it may cost less than moving its
// result.
bool is_cheap(OperatorKind kind);

enum class Pass : std::uint8_t { kForward, kDataGradient, kWeightGradient, kUpdate };

std::string_view to_text(Pass pass);

// `count` products of an m x k by a k x n matrix. A convolution is one with m = samples x output
// positions, n = output channels, k = input channels x window (implicit GEMM), one per group.
struct Contraction {
  double m = 0.0;
  double n = 0.0;
  double k = 0.0;
  double count = 1.0;
  double taps =
      1.0;  // of a convolution's window: k is so many runs of channels that lie side by side

  [[nodiscard]] double macs() const { return m * n * k * count; }
};

// Scaled dot-product attention, whose scores (queries x keys) are never stored (Dao et al.,
// FlashAttention, NeurIPS 2022). Of each sample and head, with P = softmax(S) by rows,
//
//   forward, 2 products    S = Q K^T, O = P V
//   backward, 5            S again, dP = dO V^T, dV = P^T dO, dQ = dS K, dK = dS^T Q
//
// each of queries x keys x width; of a causal one half, as a query sees no key behind it.
struct Attention {
  double samples = 1.0;
  double heads = 1.0;
  // Of K and V, if fewer: so many groups of queries share theirs (Ainslie et al., GQA, 2023).
  std::optional<double> key_heads{};
  double queries = 1.0;  // rows of Q and O
  double keys = 1.0;     // rows of K and V
  double width = 1.0;    // of a row of a head
  double products = 2.0;
  bool causal = false;

  // Of all products.
  [[nodiscard]] double macs() const { return products * scores() * width; }

  // Pairs of a query and a key that it sees.
  [[nodiscard]] double scores() const {
    return samples * heads * queries * keys * (causal ? 0.5 : 1.0);
  }

  // On single scores: scale, maximum, exponential, sum; backward scale, exponential, subtract,
  // multiply.
  [[nodiscard]] double vector_ops() const { return 4.0 * scores(); }
};

// Rows of tables, side by side: of each sample and table so many are looked up and added up.
// Whoever trains them updates these rows only.
struct Lookups {
  double tables = 1.0;
  double pooled = 1.0;
};

struct Operator {
  std::string name{};
  OperatorKind kind = OperatorKind::kActivation;
  Pass pass = Pass::kForward;
  // Layers are counted as the literature does: by convolutions, fully connected layers and steps of
  // recurrent ones. What follows one of these belongs to it.
  std::uint32_t layer = 0;
  std::uint32_t block = 0;  // of layers that repeat, counted from 1; 0: of none
  // Beside all others: reads what the step before made, and makes what the next one reads.
  bool background = false;
  // Of products, softmax and dropout of stored scores, counted from 1: large maps that take little
  // work; 0: of none.
  std::uint32_t scores = 0;
  bool again = false;  // forward, but done again for the backward pass (training.hpp)
  std::optional<Contraction> contraction{};
  std::optional<Attention> attention{};
  std::optional<Lookups> lookups{};
  double vector_ops = 0.0;  // besides these: operations on single elements
  // Of a contraction that is done again and again, each time on what the last gave (the steps of a
  // recurrent layer): how often. Elements of tensors and vector_ops are of all turns together.
  double turns = 1.0;
  // Of an operator that sums over the channels of each row: how many rows there are.
  double rows_summed = 0.0;
  std::vector<Id<Tensor>> inputs{};
  std::vector<Id<Tensor>> outputs{};
  // Forward operators only.
  std::optional<Id<Tensor>> weight{};  // which of the inputs is trained
  std::optional<Id<Tensor>> bias{};    // another that is: one number per column
  std::vector<Id<Tensor>> saved{};     // what the backward pass will read, besides gradients
  // Others only: the forward operator whose gradients these are, or that is done again; of updates,
  // the last that reads the weight.
  std::optional<Id<Operator>> forward{};

  [[nodiscard]] bool in_backward_pass() const { return pass != Pass::kForward || again; }

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

  // Adds a tensor with a storage of its own.
  Id<Tensor> add(Tensor tensor);
  // Adds a tensor that takes the place of `host`.
  Id<Tensor> add_in_place(Tensor tensor, Id<Tensor> host);
};

// Of all operators; what is done again is no work of the model.
double macs_of(const Graph& graph);

// Sums over the forward pass.
struct Counts {
  double parameters = 0.0;
  double macs = 0.0;  // of the whole batch
  double contraction_inputs =
      0.0;  // elements of distinct feature maps and data that contractions read
  double contraction_outputs = 0.0;  // elements that contractions write
};

Counts count(const Graph& graph);

}  // namespace cairn::model
