// Blocks: tiles in flight share the operands they read.
#pragma once

#include <algorithm>
#include <cmath>

#include "cairn/base/quantity.hpp"
#include "cairn/kernel/sides.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

struct Block {
  double rows = 1.0;  // in tiles
  double columns = 1.0;
  Bytes bytes{0.0};
};

// A block of b x floor(in_flight / b) among `down` x `across` tiles, `in_flight` at a time:
//   left ceil(across / floor(in_flight / b)) + right ceil(down / b) + other
inline Block block_of(const Work& work, double down, double across, double in_flight, double b) {
  const double columns = std::min(across, std::floor(in_flight / b));
  return {.rows = b,
          .columns = columns,
          .bytes = work.left * parts(across, columns) + work.right * parts(down, b) + work.other};
}

// Calls visit(block) for each useful b.
template <class Visit>
void for_each_block(const Work& work, double down, double across, double in_flight, Visit&& visit) {
  for_each_side(down, 1.0, in_flight, [&](double rows, double /*cuts*/) {
    visit(block_of(work, down, across, in_flight, rows));
  });
}

// The block with the fewest bytes; infinite bytes if all exceed `at_most`.
Block best_block(const Work& work,
                 double down,
                 double across,
                 double in_flight,
                 Bytes at_most = Bytes::infinity());

// Lower bound of all blocks: each operand is read at least once, and for any b
//   left across b / in_flight + right down / b >= 2 sqrt(left across right down / in_flight)
Bytes min_block_bytes(const Work& work, double down, double across, double in_flight);

}  // namespace cairn::kernel
