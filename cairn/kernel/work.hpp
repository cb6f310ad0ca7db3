// The work of one operator, independent of the device: MACs, element-wise operations, and bytes
// that must be read and written.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/library_kernel.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::kernel {

// Which GEMM of a convolution: the taps of the window are in k (forward), n (dX) or m (dW).
enum class Windows : std::uint8_t { kNone, kForward, kData, kWeight };

struct Work {
  std::optional<chip::LibraryOperator> op{};  // selects the library kernel
  std::optional<model::Contraction> contraction{};
  std::optional<model::Attention> attention{};
  double vector_ops = 0.0;
  double turns = 1.0;  // sequential steps (model/graph.hpp); other members count all of them
  // For a contraction m x n = (m x k)(k x n): its m x k operand as stored (for a convolution the
  // feature map, not im2col), and its k x n operand.
  Bytes left{0.0};
  Bytes right{0.0};
  // Everything else, read or written once.
  Bytes other{0.0};
  // Common divisor of the row strides of the matrices, in elements; 0: unknown.
  double row_step = 0.0;
  Windows windows = Windows::kNone;
  Bytes held{0.0};  // cached in the outermost level before (last_level_cache.hpp)
  chip::Precision precision = chip::Precision::kFp16;

  [[nodiscard]] Bytes element() const { return chip::element_bytes(precision); }

  [[nodiscard]] Bytes bytes() const { return left + right + other; }

  [[nodiscard]] double macs() const {
    return turns * (contraction ? contraction->macs() : 0.0) +
           (attention ? attention->macs() : 0.0);
  }
};

// Attention whose tensors are stored as rows per sample and head, each read or written once.
Work work_of(const model::Attention& attention, chip::Precision precision);

// A GEMM of row-major matrices, each read or written once.
Work work_of(const model::Contraction& gemm, chip::Precision precision);

// `precision`: training precision.
Work work_of(const model::Graph& graph, const model::Operator& op, chip::Precision precision);

}  // namespace cairn::kernel
