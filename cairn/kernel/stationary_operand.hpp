// Traffic into a shared level that holds part of one operand stationary.
#pragma once

#include <functional>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

// A stationary part: the bytes that cross into the level, and the additional bytes between it and
// the cores for partial sums that leave and return.
struct StationaryOperand {
  Held operand = Held::kNone;
  double rows = 0.0;  // of the stationary part
  double columns = 0.0;
  Bytes outside{0.0};
  Bytes partial{0.0};

  bool operator==(const StationaryOperand&) const = default;
};

// Part of an operand is stationary in one half of `capacity` while the next is loaded into the
// other half; the other operands are streamed. With m x n = (m x k)(k x n):
//
//   output      left ceil(n / columns) + right ceil(m / rows) + other
//   weight      left ceil(n / columns) + right + other + 2 (ceil(k / rows) - 1) sums
//   activation  left + right ceil(m / rows) + other + 2 (ceil(k / columns) - 1) sums
//
// by the dataflow; all three for kBest, none for kNone. Visits each useful number of rows
// (activation: columns), longest first, with the longest other side that fits.
void for_each_stationary_operand(const Work& work,
                                 chip::Dataflow dataflow,
                                 Bytes capacity,
                                 const std::function<void(const StationaryOperand&)>& visit);

// The parts that are Pareto-optimal in `outside` and `partial` bytes, in the order above.
std::vector<StationaryOperand> best_stationary_operands(const Work& work,
                                                        chip::Dataflow dataflow,
                                                        Bytes capacity);

}  // namespace cairn::kernel
