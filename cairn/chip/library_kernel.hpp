// Overhead of a device's library kernels relative to the work of the operator.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"

namespace cairn::chip {

// Operators whose kernels can be described.
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

// The forward operator of a backward one; any other operator unchanged.
LibraryOperator forward_of(LibraryOperator op);

struct LibraryKernel {
  LibraryOperator op = LibraryOperator::kConvolution;
  double work = 1.0;        // element-wise operations per operation of the operator
  double throughput = 1.0;  // fraction of the throughput that kernels reach
  double bandwidth = 1.0;   // fraction of the memory bandwidth that kernels reach
  Seconds latency{0.0};     // in addition to that of any kernel: row reductions, further launches
  Seconds least{0.0};       // minimum time: the longest chain of dependent steps
  std::optional<Seconds> fill{};  // prologue and epilogue of a tile; empty: tiles.fill
  double occupancy = 1.0;         // fraction of a core's maximum threads
  double power = 1.0;             // power of its MACs relative to those of a dense GEMM

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
