// What the kernels of a device's library take beyond what the operator asks for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

// Operators whose kernels may be described.
enum class LibraryOperator : std::uint8_t {
  kConvolution,
  kFullyConnected,
  kMatmul,
  kAttention,
  kAttentionBackward,
  kRecurrent,
  kActivation,
  kPool,
  kPoolBackward,
  kNormalization,
  kNormalizationBackward,
  kLayerNorm,
  kLayerNormBackward,
  kSoftmax,
  kCrossEntropy,
  kConcat,
  kAdd,
  kEmbedding,
  kUpdate,
  kCopy,
  kFill,
  kTranspose,
  kSum,
};

// The operator whose backward kernel it is; another, itself.
LibraryOperator forward_of(LibraryOperator op);

struct LibraryKernel {
  LibraryOperator op = LibraryOperator::kConvolution;
  double work = 1.0;        // operations on elements that it takes for each of the operator's
  double throughput = 1.0;  // part of what kernels reach of the cores that this one reaches
  double bandwidth = 1.0;   // part of what kernels reach of main memory that this one reaches
  Seconds latency{0.0};     // besides that of any kernel: rows that are summed, kernels that follow
  // Its longest chain of dependent steps: it takes no less, however little there is to do.
  Seconds least{0.0};
  // What beginning and ending a tile takes, besides its products; nothing: as any tile.
  std::optional<Seconds> fill{};
  double occupancy = 1.0;  // part of the threads that a core has room for
  double power = 1.0;      // that its products take, of what those of dense matrices take

  bool operator==(const LibraryKernel&) const = default;
};

const Schema<LibraryKernel>& schema_of(const LibraryKernel*);

}  // namespace cairn::chip

namespace cairn {

template <>
struct EnumNames<chip::LibraryOperator> {
  using Op = chip::LibraryOperator;
  static constexpr std::array<EnumName<Op>, 23> kNames{
      {{Op::kConvolution, "convolution"},
       {Op::kFullyConnected, "fully_connected"},
       {Op::kMatmul, "matmul"},
       {Op::kAttention, "attention"},
       {Op::kAttentionBackward, "attention_backward"},
       {Op::kRecurrent, "recurrent"},
       {Op::kActivation, "activation"},
       {Op::kPool, "pool"},
       {Op::kPoolBackward, "pool_backward"},
       {Op::kNormalization, "normalization"},
       {Op::kNormalizationBackward, "normalization_backward"},
       {Op::kLayerNorm, "layer_norm"},
       {Op::kLayerNormBackward, "layer_norm_backward"},
       {Op::kSoftmax, "softmax"},
       {Op::kCrossEntropy, "cross_entropy"},
       {Op::kConcat, "concat"},
       {Op::kAdd, "add"},
       {Op::kEmbedding, "embedding"},
       {Op::kUpdate, "update"},
       {Op::kCopy, "copy"},
       {Op::kFill, "fill"},
       {Op::kTranspose, "transpose"},
       {Op::kSum, "sum"}}};
};

}  // namespace cairn
