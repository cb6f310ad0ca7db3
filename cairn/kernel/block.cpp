#include "cairn/kernel/block.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/kernel/sides.hpp"

namespace cairn::kernel {

Block best_block(const Work& work, double down, double across, double most) {
  Block best{.bytes = Bytes(INFINITY)};
  for_each_side(down, 1.0, most, [&](double rows, double passes_right) {
    const double columns = std::min(across, std::floor(most / rows));
    const Bytes bytes = work.left * parts(across, columns) + work.right * passes_right + work.other;
    if (bytes < best.bytes) {
      best = {.rows = rows, .columns = columns, .bytes = bytes};
    }
  });
  return best;
}

}  // namespace cairn::kernel
