// What one operator asks of a device, whatever the device: products, operations on elements, and
// bytes that must be read and written.
#pragma once

#include <cstdint>
#include <optional>

#include "cairn/base/quantity.hpp"
#include "cairn/chip/library_kernel.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::kernel {

// Of a convolution, which of its products: with a window's taps in the sums, columns or rows.
enum class Windows : std::uint8_t { kNone, kForward, kData, kWeight };

struct Work {
  std::optional<chip::LibraryOperator> op{};  // whose kernel does it
  std::optional<model::Contraction> contraction{};
  std::optional<model::Attention> attention{};
  double vector_ops = 0.0;
  double turns = 1.0;  // one after the other (model/graph.hpp); all else is of all of them together
  // Of a contraction m x n = (m x k)(k x n): its m x k operand as it lies in memory (of a
  // convolution, the feature map and not its unrolled windows), and its k x n operand.
  Bytes left{0.0};
  Bytes right{0.0};
  // Everything that is read once, or written once.
  Bytes other{0.0};
  // Elements by whose multiple the rows of all three matrices are apart; nothing if unknown.
  double row_step = 0.0;
  Windows windows = Windows::kNone;
  Bytes held{0.0};  // of what is read, in the outermost level from before (residency.hpp)
  chip::Precision precision = chip::Precision::kFp16;

  [[nodiscard]] Bytes element() const { return chip::element_bytes(precision); }

  [[nodiscard]] Bytes bytes() const { return left + right + other; }

  [[nodiscard]] double macs() const {
    return turns * (contraction ? contraction->macs() : 0.0) +
           (attention ? attention->macs() : 0.0);
  }
};

// Of maps that lie in memory as rows of a sample and head, each read or written once.
Work work_of(const model::Attention& attention, chip::Precision precision);

// Of matrices that lie in memory row by row, each read or written once.
Work work_of(const model::Contraction& product, chip::Precision precision);

// `precision`: what is trained in.
Work work_of(const model::Graph& graph, const model::Operator& op, chip::Precision precision);

}  // namespace cairn::kernel
