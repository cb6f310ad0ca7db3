#include "cairn/kernel/block.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cairn::kernel {
namespace {

RC_GTEST_PROP(BestBlockProperty, HasTheFewestBytes, ()) {
  Work work;
  work.left = Bytes(*rc::gen::inRange(1, 100'000));
  work.right = Bytes(*rc::gen::inRange(1, 100'000));
  work.other = Bytes(*rc::gen::inRange(0, 100'000));
  const double down = *rc::gen::inRange(1, 2000);
  const double across = *rc::gen::inRange(1, 2000);
  const double most = *rc::gen::inRange(1, 500);
  Block expected{.bytes = Bytes::infinity()};
  for_each_block(work, down, across, most, [&](const Block& block) {
    if (block.bytes < expected.bytes) {
      expected = block;
    }
  });

  const Block best = best_block(work, down, across, most);

  RC_ASSERT(best.bytes == expected.bytes);
  RC_ASSERT(best.rows == expected.rows);
  RC_ASSERT(best_block(work, down, across, most, best.bytes).bytes == best.bytes);
  RC_ASSERT(best_block(work, down, across, most, best.bytes - Bytes(1.0)).bytes ==
            Bytes::infinity());
  RC_ASSERT(min_block_bytes(work, down, across, most).si() <= best.bytes.si() * (1.0 + 1e-12));
}

}  // namespace
}  // namespace cairn::kernel
