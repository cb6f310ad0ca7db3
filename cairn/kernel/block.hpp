// Tiles that are in work at a time share what they read.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/kernel/work.hpp"

namespace cairn::kernel {

struct Block {
  double rows = 1.0;  // in tiles
  double columns = 1.0;
  Bytes bytes{0.0};
};

// Of `down` x `across` tiles of which `most` are in work at a time, as b x floor(most / b): the b
// with the fewest bytes,
//   left ceil(across / floor(most / b)) + right ceil(down / b) + other
Block best_block(const Work& work, double down, double across, double most);

}  // namespace cairn::kernel
