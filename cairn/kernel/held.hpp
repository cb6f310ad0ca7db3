// What a memory that all cores share saves main memory by holding part of one operand.
#pragma once

#include <functional>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/kernel/cost.hpp"

namespace cairn::kernel {

// A way to hold: the bytes that then cross into the level, and those that cross between it and the
// cores besides, partial sums that leave and return.
struct Hold {
  Held operand = Held::kNone;
  double rows = 0.0;  // of the part of it that is held
  double columns = 0.0;
  Bytes outside{0.0};
  Bytes partial{0.0};

  bool operator==(const Hold&) const = default;
};

// Part of an operand is held in one half of `capacity` while the next is loaded into the other, and
// the rest of the product passes. Of m x n = (m x k)(k x n):
//
//   outputs that stay      left ceil(n / columns) + right ceil(m / rows) + other
//   weights that stay      left ceil(n / columns) + right + other + 2 (ceil(k / rows) - 1) sums
//   activations that stay  left + right ceil(m / rows) + other + 2 (ceil(k / columns) - 1) sums
//
// as the dataflow says; all of them when it is kBest, none when it is kNone. For each number of
// rows (activations: columns) that differs, from the most, as many of the other side as there is
// room for.
void for_each_hold(const Work& work,
                   chip::Dataflow dataflow,
                   Bytes capacity,
                   const std::function<void(const Hold&)>& visit);

// The ways with the fewest bytes, for each amount of partial sums, in that order.
std::vector<Hold> best_holds(const Work& work, chip::Dataflow dataflow, Bytes capacity);

}  // namespace cairn::kernel
