// Kinds of operators, and what other rooms need to know of a kind. They ask for properties, so that
// a new kind is a row of kOperatorProperties.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::model {

enum class OperatorKind : std::uint8_t {
  kConvolution,
  kFullyConnected,
  kMatmul,  // of two activations
  kAttention,
  kAdditiveScores,  // v tanh(q + k) for each query and key (Bahdanau et al. 2015)
  kRecurrent,
  kActivation,
  kPool,
  kNormalization,
  kSoftmax,
  kCrossEntropy,  // log-probabilities and loss
  kConcat,
  kAdd,
  kEmbedding,
  kUpdate,  // optimizer update of a weight
};

inline constexpr std::size_t kOperatorKinds = 15;

// Layers with weights that are partitioned, compressed and counted in their own way.
enum class LayerClass : std::uint8_t { kConvolution, kFullyConnected, kRecurrent, kOther };

struct OperatorProperties {
  std::string_view name{};  // in results
  LayerClass layer = LayerClass::kOther;
  // Memory-bound, so recomputing it may cost less than offloading its result.
  bool is_cheap = false;
  bool looks_up_rows = false;           // reads, or updates, rows of a table by index
  bool multiplies_activations = false;  // a product whose operands are both activations
  bool sums_channels = false;           // each result needs all channels
};

// By OperatorKind.
inline constexpr std::array<OperatorProperties, kOperatorKinds> kOperatorProperties{{
    {.name = "convolution", .layer = LayerClass::kConvolution},
    {.name = "fully connected", .layer = LayerClass::kFullyConnected},
    {.name = "matmul", .multiplies_activations = true},
    {.name = "attention", .multiplies_activations = true},
    {.name = "additive scores", .sums_channels = true},
    {.name = "recurrent", .layer = LayerClass::kRecurrent},
    {.name = "activation", .is_cheap = true},
    {.name = "pool", .is_cheap = true},
    {.name = "normalization", .is_cheap = true},
    {.name = "softmax", .is_cheap = true},
    {.name = "cross entropy", .is_cheap = true},
    {.name = "concat", .is_cheap = true},
    {.name = "add", .is_cheap = true},
    {.name = "embedding", .looks_up_rows = true},
    {.name = "update"},
}};

constexpr const OperatorProperties& properties_of(OperatorKind kind) {
  return kOperatorProperties[static_cast<std::size_t>(kind)];
}

}  // namespace cairn::model
