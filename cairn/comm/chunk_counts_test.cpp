#include "cairn/comm/chunk_counts.hpp"

#include <gtest/gtest.h>

#include "cairn/platform/parse.hpp"

namespace cairn::comm {
namespace {

using Counts = std::vector<std::uint32_t>;

// Of a ring among eight devices.
Counts counts(Op op, Bytes size, const CollectivePolicy& policy) {
  const auto platform = platform::read_platform("ring:8@25GB/s,500ns", {});
  const GroupLayout all = make_group_layout(platform, {});
  const Request request{
      .collective = {.op = op, .size = size}, .all = &all, .groups = {{0, 1, 2, 3, 4, 5, 6, 7}}};
  const Realized first = realize_first_group(request, {.algorithm = &kRing}, false);
  return chunk_counts(request.collective, kRing, first, policy, {});
}

// Chunks of at least 64 KiB.
TEST(ChunkCounts, AreTheMostAndItsHalves) {
  EXPECT_EQ(counts(Op::kBroadcast, Bytes(15.5 * 65536), {}), (Counts{1, 3, 7, 15}));
}

TEST(ChunkCounts, AreOneWhereChunksGainNothing) {
  EXPECT_EQ(counts(Op::kAllReduce, Bytes(1e9), {}), Counts{1});
}

TEST(ChunkCounts, FollowThePolicy) {
  constexpr Bytes kSize(8.0 * 65536);

  EXPECT_EQ(counts(Op::kBroadcast, kSize, {.chunks = 5}), Counts{5});
  EXPECT_EQ(counts(Op::kBroadcast, kSize, {.chunk_size = Bytes(0.0)}), Counts{1});
  EXPECT_EQ(counts(Op::kBroadcast, kSize, {.chunk_size = kSize / 4.0}), Counts{4});
}

}  // namespace
}  // namespace cairn::comm
