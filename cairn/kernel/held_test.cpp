#include "cairn/kernel/held.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "cairn/kernel/test_support/products.hpp"

namespace cairn::kernel {
namespace {

using chip::Dataflow;

// 4 x 4 outputs, sums of 4 products, 32 B of each operand and of the result; room for 4 sums of
// 4 B while the next are formed. As 2 x 2, each operand passes twice.
TEST(BestHolds, HoldsASquareOfOutputs) {
  const auto holds = best_holds(product(4.0, 4.0, 4.0), Dataflow::kOutputStationary, Bytes(32.0));

  ASSERT_EQ(holds.size(), 1U);
  EXPECT_EQ(holds.front().rows, 2.0);
  EXPECT_EQ(holds.front().columns, 2.0);
  EXPECT_EQ(holds.front().outside, Bytes(2.0 * 32.0 + 2.0 * 32.0 + 32.0));
}

TEST(BestHolds, AreNoneWithoutRoom) {
  EXPECT_TRUE(best_holds(product(4.0, 4.0, 4.0), Dataflow::kBest, Bytes(1.0)).empty());
}

// Of all ways, in their order, those that no other is as good as; of two that are as good as each
// other, the first.
RC_GTEST_PROP(BestHoldsProperty, AreThoseThatNoOtherIsAsGoodAs, ()) {
  const auto side = [] { return 1.0 * *rc::gen::inRange(1, 200); };
  const Work work = product(side(), side(), side());
  const Bytes capacity(1.0 * *rc::gen::inRange(1, 20000));
  const Dataflow dataflow = *rc::gen::element(Dataflow::kNone,
                                              Dataflow::kBest,
                                              Dataflow::kWeightStationary,
                                              Dataflow::kActivationStationary,
                                              Dataflow::kOutputStationary);
  std::vector<Hold> all;
  for_each_hold(work, dataflow, capacity, [&](const Hold& hold) { all.push_back(hold); });
  std::vector<Hold> expected;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool best = true;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const bool as_good = all[j].outside <= all[i].outside && all[j].partial <= all[i].partial;
      const bool the_same = all[j].outside == all[i].outside && all[j].partial == all[i].partial;
      best = best && (i == j || !as_good || (the_same && i < j));
    }
    if (best) {
      expected.push_back(all[i]);
    }
  }

  RC_ASSERT(best_holds(work, dataflow, capacity) == expected);
}

}  // namespace
}  // namespace cairn::kernel
