#include "cairn/kernel/stationary_operand.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "cairn/kernel/test_support/products.hpp"

namespace cairn::kernel {
namespace {

using chip::Dataflow;

// 4 x 4 outputs, k = 4, 32 B of each operand and of the result; room for 4 accumulators of 4 B
// while the next are computed. As 2 x 2, each operand is streamed twice.
TEST(BestStationaryOperands, HoldASquareOfOutputs) {
  const auto holds =
      best_stationary_operands(gemm(4.0, 4.0, 4.0), Dataflow::kOutputStationary, Bytes(32.0));

  ASSERT_EQ(holds.size(), 1U);
  EXPECT_EQ(holds.front().rows, 2.0);
  EXPECT_EQ(holds.front().columns, 2.0);
  EXPECT_EQ(holds.front().outside, Bytes(2.0 * 32.0 + 2.0 * 32.0 + 32.0));
}

TEST(BestStationaryOperands, AreNoneWithoutCapacity) {
  EXPECT_TRUE(best_stationary_operands(gemm(4.0, 4.0, 4.0), Dataflow::kBest, Bytes(1.0)).empty());
}

// The non-dominated parts, in order; the first of equal ones.
RC_GTEST_PROP(BestStationaryOperandsProperty, AreTheParetoFront, ()) {
  const auto side = [] { return 1.0 * *rc::gen::inRange(1, 200); };
  const Work work = gemm(side(), side(), side());
  const Bytes capacity(1.0 * *rc::gen::inRange(1, 20000));
  const Dataflow dataflow = *rc::gen::element(Dataflow::kNone,
                                              Dataflow::kBest,
                                              Dataflow::kWeightStationary,
                                              Dataflow::kActivationStationary,
                                              Dataflow::kOutputStationary);
  std::vector<StationaryOperand> all;
  for_each_stationary_operand(
      work, dataflow, capacity, [&](const StationaryOperand& hold) { all.push_back(hold); });
  std::vector<StationaryOperand> expected;
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

  RC_ASSERT(best_stationary_operands(work, dataflow, capacity) == expected);
}

}  // namespace
}  // namespace cairn::kernel
