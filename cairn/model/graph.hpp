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
  kState,           // what a recurrent cell keeps for its backward pass: gates, cell state
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
  kRecurrent,
  kActivation,
  kPool,
  kNormalization,
  kSoftmax,
  kConcat,
  kAdd,
  kEmbedding,
  kUpdate,  // of a weight by its gradient
};

inline constexpr std::size_t kOperatorKinds = 12;

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

  [[nodiscard]] double macs() const { return m * n * k * count; }
};

struct Operator {
  std::string name{};
  OperatorKind kind = OperatorKind::kActivation;
  Pass pass = Pass::kForward;
  // Layers are counted as the literature does: by convolutions, fully connected layers and steps of
  // recurrent ones. What follows one of these belongs to it.
  std::uint32_t layer = 0;
  std::optional<Contraction> contraction{};
  double vector_ops = 0.0;  // besides the contraction: operations on single elements
  std::vector<Id<Tensor>> inputs{};
  std::vector<Id<Tensor>> outputs{};
  // Forward operators only.
  std::optional<Id<Tensor>> weight{};  // which of the inputs is trained
  std::vector<Id<Tensor>> saved{};     // what the backward pass will read, besides gradients
  // Others only: the forward operator whose gradients these are; of updates, the last that reads
  // the weight.
  std::optional<Id<Operator>> forward{};

  [[nodiscard]] double macs() const { return contraction ? contraction->macs() : 0.0; }
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

// Of all operators.
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
