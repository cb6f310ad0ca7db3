// Tiles that are in work at a time share what they read.
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

// Of `down` x `across` tiles of which `most` are in work at a time, b x floor(most / b):
//   left ceil(across / floor(most / b)) + right ceil(down / b) + other
inline Block block_of(const Work& work, double down, double across, double most, double b) {
  const double columns = std::min(across, std::floor(most / b));
  return {.rows = b,
          .columns = columns,
          .bytes = work.left * parts(across, columns) + work.right * parts(down, b) + work.other};
}

// Calls visit(block) for each b that differs.
template <class Visit>
void for_each_block(const Work& work, double down, double across, double most, Visit&& visit) {
  for_each_side(down, 1.0, most, [&](double rows, double /*cuts*/) {
    visit(block_of(work, down, across, most, rows));
  });
}

// The one with the fewest bytes; if all have more than `at_most`, one with infinitely many.
Block best_block(
    const Work& work, double down, double across, double most, Bytes at_most = Bytes::infinity());

// No block has fewer: each operand passes at least once, and for any b
//   left across b / most + right down / b >= 2 sqrt(left across right down / most)
Bytes fewest_of_blocks(const Work& work, double down, double across, double most);

}  // namespace cairn::kernel
