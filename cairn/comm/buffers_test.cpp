#include "cairn/comm/buffers.hpp"

#include <gtest/gtest.h>

namespace cairn::comm {
namespace {

double sum(const Collective& collective, double Buffers::* which) {
  double total = 0.0;
  for (std::uint32_t p = 0; p < 5; ++p) {
    total += buffers_of(collective, p, 5).*which;
  }
  return total;
}

// Without reductions and copies, total input equals total output.
TEST(Buffers, InputEqualsOutputWithoutReductions) {
  for (const Op op : {Op::kAllToAll, Op::kGather, Op::kScatter}) {
    const Collective collective{
        .op = op, .size = Bytes(1.0), .root = op == Op::kAllToAll ? 0U : 3U};
    EXPECT_NEAR(sum(collective, &Buffers::in), sum(collective, &Buffers::out), 1e-12);
  }
}

TEST(Buffers, AllToAllExcludesDataThatStaysInPlace) {
  const Collective unequal{.op = Op::kAllToAll, .size = Bytes(1.0), .weights = {3, 0, 1, 1, 1}};

  EXPECT_NEAR(buffers_of(unequal, 2, 5).in, 0.5, 1e-12);
}

TEST(Buffers, ReduceReadsOnAllDevicesAndWritesAtTheRoot) {
  const Collective reduce{.op = Op::kReduce, .size = Bytes(1.0), .root = 2};

  EXPECT_EQ(sum(reduce, &Buffers::in), 5.0);
  EXPECT_EQ(buffers_of(reduce, 2, 5).out, 1.0);
  EXPECT_EQ(sum(reduce, &Buffers::out), 1.0);
}

}  // namespace
}  // namespace cairn::comm
