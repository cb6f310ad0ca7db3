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

// Of `down` x `across` tiles of which `most` are in work at a time, as b x floor(most / b): calls
// visit(block) for each b that differs, with
//   left ceil(across / floor(most / b)) + right ceil(down / b) + other
template <class Visit>
void for_each_block(const Work& work, double down, double across, double most, Visit&& visit) {
  for_each_side(down, 1.0, most, [&](double rows, double passes_right) {
    const double columns = std::min(across, std::floor(most / rows));
    const Bytes bytes = work.left * parts(across, columns) + work.right * passes_right + work.other;
    visit(Block{.rows = rows, .columns = columns, .bytes = bytes});
  });
}

// The one with the fewest bytes.
Block best_block(const Work& work, double down, double across, double most);

}  // namespace cairn::kernel
