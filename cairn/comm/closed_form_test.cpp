#include "cairn/comm/test_support/closed_form.hpp"

#include <gtest/gtest.h>

#include <array>

namespace cairn::comm {
namespace {

constexpr Way kLink{BytesPerSecond(25e9), Seconds(0.5e-6)};
constexpr Bytes kSize{100e6};

TEST(WithProtocol, AddsLatencyAndReducesBandwidth) {
  const platform::Protocol protocol{.latency = Seconds(2e-6), .efficiency = 0.25};

  const Way way = with_protocol({BytesPerSecond(8e9), Seconds(1e-6)}, protocol);

  EXPECT_DOUBLE_EQ(way.bandwidth.si(), 2e9);
  EXPECT_DOUBLE_EQ(way.latency.si(), 3e-6);
}

TEST(RingTime, GrowsWithTheNumberOfDevicesOnlyThroughLatency) {
  // 2 (n-1) (l + S / (n B)): 30 x 250.5 us, 126 x 63 us, 510 x 16.125 us.
  EXPECT_DOUBLE_EQ(ring_time(Op::kAllReduce, 16, kSize, kLink, 1).si(), 30 * 250.5e-6);
  EXPECT_DOUBLE_EQ(ring_time(Op::kAllReduce, 64, kSize, kLink, 1).si(), 126 * 63.0e-6);
  EXPECT_DOUBLE_EQ(ring_time(Op::kAllReduce, 256, kSize, kLink, 1).si(), 510 * 16.125e-6);
  EXPECT_DOUBLE_EQ(ring_time(Op::kAllGather, 16, kSize, kLink, 1).si(), 15 * 250.5e-6);
}

TEST(RingTime, ChunksHideTheLengthOfAChain) {
  const double one = ring_time(Op::kBroadcast, 9, kSize, kLink, 1).si();
  const double many = ring_time(Op::kBroadcast, 9, kSize, kLink, 1000).si();

  EXPECT_DOUBLE_EQ(one, 8 * (0.5e-6 + 4e-3));
  EXPECT_DOUBLE_EQ(many, 8 * (0.5e-6 + 4e-6) + 999 * 4e-6);
}

TEST(RingsTime, DividesThePayloadByDirectionAndBandwidth) {
  const std::array<Way, 1> one{kLink};
  const std::array<Way, 2> two{Way{BytesPerSecond(25e9), Seconds(0.5e-6)},
                               Way{BytesPerSecond(75e9), Seconds(1e-6)}};

  EXPECT_DOUBLE_EQ(rings_time(Op::kAllReduce, 4, kSize, one).si(),
                   ring_time(Op::kAllReduce, 4, kSize / 2.0, kLink, 1).si());
  // Both rings finish their bytes together, so the longer latency decides.
  EXPECT_DOUBLE_EQ(rings_time(Op::kAllReduce, 4, kSize, two).si(),
                   6 * (1e-6 + 100e6 * 0.75 / 2 / 4 / 75e9));
}

TEST(DirectTime, IsOneStep) {
  EXPECT_DOUBLE_EQ(direct_time(Op::kAllToAll, 5, kSize, kLink).si(), 0.5e-6 + 0.8 * 4e-3);
  EXPECT_DOUBLE_EQ(direct_time(Op::kAllReduce, 5, kSize, kLink).si(), 2 * (0.5e-6 + 0.8 * 4e-3));
  EXPECT_DOUBLE_EQ(direct_time(Op::kBroadcast, 5, kSize, kLink).si(), 0.5e-6 + 4 * 4e-3);
  EXPECT_DOUBLE_EQ(direct_time(Op::kSendReceive, 2, kSize, kLink).si(), 0.5e-6 + 4e-3);
}

TEST(HalvingDoublingTime, TakesCeilLog2Steps) {
  for (const auto& [n, steps] : {std::pair(2U, 1), {3U, 2}, {4U, 2}, {5U, 3}, {8U, 3}, {9U, 4}}) {
    EXPECT_DOUBLE_EQ(halving_doubling_time(Op::kAllGather, n, kSize, kLink).si(),
                     steps * 0.5e-6 + (n - 1.0) / n * 4e-3)
        << n;
  }
}

TEST(HierarchicalTime, OneChunkTakesTheSumOfItsPhases) {
  const std::array<RingDimension, 2> grid{RingDimension{4, kLink},
                                          RingDimension{3, {BytesPerSecond(50e9), Seconds(1e-6)}}};

  // Half the payload goes in each direction: 3 steps of S/8, 4 steps of S/24, 3 steps of S/8.
  const double expected = 6 * (0.5e-6 + 100e6 / 8 / 25e9) + 4 * (1e-6 + 100e6 / 24 / 50e9);
  EXPECT_DOUBLE_EQ(hierarchical_time(Op::kAllReduce, grid, kSize, 1).si(), expected);
  EXPECT_DOUBLE_EQ(nested_time(grid, kSize, 1).si(), expected);  // the same up to two dimensions
}

TEST(HierarchicalTime, ManyChunksTakeTheTimeOfTheBusiestDimension) {
  // The 4x4x4 torus of ACE: 200/25/25 GB/s, 1.5 + 0.375 + 0.375 bytes per byte of payload.
  const std::array<RingDimension, 3> torus{RingDimension{4, {BytesPerSecond(200e9), Seconds(0.0)}},
                                           RingDimension{4, {BytesPerSecond(25e9), Seconds(0.0)}},
                                           RingDimension{4, {BytesPerSecond(25e9), Seconds(0.0)}}};

  const double bottleneck = hierarchical_bottleneck(Op::kAllReduce, torus, Bytes(1e9)).si();
  const double chunked = hierarchical_time(Op::kAllReduce, torus, Bytes(1e9), 10000).si();

  EXPECT_DOUBLE_EQ(bottleneck, 7.5e-3);
  EXPECT_GT(chunked, bottleneck);
  EXPECT_LT(chunked, bottleneck * 1.001);
}

TEST(DoubleBinaryTreeTime, DependsOnTheDepthOfTheTrees) {
  EXPECT_EQ(tree_depth(2), 1U);
  EXPECT_EQ(tree_depth(8), 3U);
  EXPECT_EQ(tree_depth(9), 4U);
  EXPECT_DOUBLE_EQ(double_binary_tree_time(Op::kBroadcast, 8, kSize, kLink, 10).si(),
                   3 * (0.5e-6 + 5e6 / 25e9) + 9 * 5e6 / 25e9);
}

}  // namespace
}  // namespace cairn::comm
