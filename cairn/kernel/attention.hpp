// Attention by one kernel, whose scores never leave the cores (Dao et al., FlashAttention, 2022).
#pragma once

#include "cairn/kernel/tiling.hpp"

namespace cairn::kernel {

// Special-function units give an eighth of the results of the others (CUDA C++ Programming Guide,
// throughput of arithmetic instructions: 16 a cycle and multiprocessor beside 128).
inline constexpr double kOpsOfExponential = 8.0;

// A core takes tiles of r rows of one head, D = ceil(rows / r) of each, and passes over the other
// side in parts of c rows, each d wide. Forward its rows are queries, and K and V pass; backward
// its rows are keys, and Q and dO pass, so that dK and dV are its own and dQ is added up outside.
// A tile sees p parts,
//
//   p = ceil(other rows / c)   if causal, on average (D r + max(r, c)) / (2 c)
//   forward  cycles = p (C(r, c, d) + C(r, d, c) + r c ops / vector)
//   backward cycles = p (2 C(r, c, d) + 2 C(r, d, c) + C(c, d, r) + r c ops / vector)
//
// with C of the matrix unit, and ops of each score with its exponential. Forward, two tiles in work
// in a core hide the scores of one behind the products of the other, so that only the larger counts
// (Shah et al., FlashAttention-3, 2024). Backward they are taken not to: no source says so; the
// H200's times of long sequences, of both widths, are those of the sum. Tiles go over cores in
// waves; of causal ones, which differ, the longest first, so that only it can be left over:
//
//   compute = max(ceil(samples heads D / cores) cycles, the longest) / (f u) + fills
//
// The level beside the cores moves what passes once for every tile, D p c rows, and backward as
// many sums of dQ of 4 bytes; the rest once. Main memory moves everything once, if what passes for
// the heads in work fits the outermost level, else what passes once for all tiles that are in work
// together; the sums of dQ twice if they do not fit. Sides are those that fit a core: sums of
// scores and outputs, its own rows, and two parts of what passes, one being filled. Of these the
// ones with the least time.
Mapping attention_mapping(const Work& work, const chip::Device& device);

}  // namespace cairn::kernel
