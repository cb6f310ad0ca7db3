#include "cairn/kernel/block.hpp"

namespace cairn::kernel {

Block best_block(const Work& work, double down, double across, double most) {
  Block best{.bytes = Bytes(INFINITY)};
  for_each_block(work, down, across, most, [&](const Block& block) {
    if (block.bytes < best.bytes) {
      best = block;
    }
  });
  return best;
}

}  // namespace cairn::kernel
