// Attention as one fused kernel; scores never leave the cores (Dao et al., FlashAttention, 2022).
#pragma once

#include "cairn/kernel/tiling.hpp"

namespace cairn::kernel {

// Special-function units have an eighth of the throughput of the others (CUDA C++ Programming
// Guide, throughput of arithmetic instructions: 16 per cycle and multiprocessor against 128).
inline constexpr double kOpsOfExponential = 8.0;

// A core takes tiles of r rows of one head, D = ceil(rows / r) of each, and iterates over the other
// side in parts of c rows of width d. Forward its rows are queries, and K and V are streamed.
// Backward its rows are keys, and Q and dO are streamed, so that dK and dV are its own and dQ is
// accumulated outside. A tile visits p parts,
//
//   p = ceil(other rows / c)   if causal, on average (D r + max(r, c)) / (2 c)
//                              with a window of W of S rows, (W + max(r, c)) (2 - W / S) / (2 c)
//   forward  cycles = p (C(r, c, d) + C(r, d, c) + r c ops / vector)
//   backward cycles = p (2 C(r, c, d) + 2 C(r, d, c) + C(c, d, r) + r c ops / vector)
//
// with C the cycles of the matrix unit, and ops the operations per score with its exponential.
// Forward, with two tiles in flight per core, scores of one overlap with GEMMs of the other, and
// only the larger counts (Shah et al., FlashAttention-3, 2024). Backward they are assumed not to
// overlap: without a source; the H200's times of long sequences, at both widths, match the sum.
// Tiles run in waves. Causal tiles differ in length, so that the longest can finish last:
//
//   compute = max(ceil(samples heads D / cores) cycles, the longest) / (f u) + fills
//
// Traffic of the level next to the cores: streamed rows once per tile, D p c rows, backward as many
// accumulators of dQ of 4 bytes; the rest once. Main memory: everything once if the streamed rows
// of the heads in flight fit the outermost level, else streamed rows once per set of tiles in
// flight; accumulators of dQ twice if they do not fit. A tile fits a core if the accumulators of
// scores and outputs, its own rows, and two parts of streamed rows (double buffering) do. The
// fastest tile sides are chosen.
Mapping attention_mapping(const Work& work, const chip::Device& device);

}  // namespace cairn::kernel
