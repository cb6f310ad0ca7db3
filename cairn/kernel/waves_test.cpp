#include "cairn/kernel/waves.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "cairn/kernel/test_support/products.hpp"

namespace cairn::kernel {
namespace {

// 132 cores in 8 groups of 16 or 18, clusters of two tiles.
chip::Device in_pairs() {
  chip::Device device;
  device.cores.count = 132.0;
  device.cores.groups = 8.0;
  device.tiles = {.sides = {64.0, 128.0, 256.0},
                  .accumulators = Bytes(256.0 * 1024.0),
                  .at_once = 2.0,
                  .cluster = 2.0};
  return device;
}

// The first eight blocks go to eight groups, and leave one unpaired core in each.
TEST(ClustersLeft, FirstBlockInEachGroupCostsAPair) {
  const chip::Device device = in_pairs();

  for (double taken = 0.0; taken <= 8.0; taken += 1.0) {
    EXPECT_EQ(clusters_left(device, taken), 66.0 - taken);
  }
  EXPECT_EQ(clusters_left(device, 16.0), 58.0);  // the unpaired cores are used up
  EXPECT_EQ(clusters_left(device, 128.0), 2.0);  // two groups have 18
  EXPECT_EQ(clusters_left(device, 130.0), 0.0);
  EXPECT_EQ(clusters_left(device, 132.0), 0.0);
}

TEST(ClustersLeft, OfSingleTilesAreTheFreeCores) {
  chip::Device device = in_pairs();
  device.tiles.cluster = 1.0;

  for (double taken = 0.0; taken <= 132.0; taken += 1.0) {
    EXPECT_EQ(clusters_left(device, taken), 132.0 - taken);
  }
}

RC_GTEST_PROP(ClustersLeft, NeverGrowsAndNeverExceedsTheFreeCores, ()) {
  chip::Device device = in_pairs();
  device.cores.count = *rc::gen::inRange(1, 300);
  device.cores.groups = *rc::gen::inRange(1, 12);
  device.tiles.cluster = *rc::gen::inRange(1, 5);
  const double taken = *rc::gen::inRange(0, static_cast<int>(device.cores.count));

  const double left = clusters_left(device, taken);

  RC_ASSERT(left * device.tiles.cluster <= device.cores.count - taken);
  RC_ASSERT(clusters_left(device, taken + 1.0) <= left);
}

// GEMMs of 1024 and 2048 have one tile for almost every core; larger ones use the largest tile,
// 256 x 128.
TEST(ClustersOfTiles, HaveTheFewestWavesThenTheSmallestTile) {
  EXPECT_EQ(clusters_of_tiles(gemm(1024.0, 1024.0, 64.0), in_pairs()), 64.0);  // 128 x 64
  EXPECT_EQ(clusters_of_tiles(gemm(2048.0, 2048.0, 64.0), in_pairs()), 64.0);  // 256 x 128
  EXPECT_EQ(clusters_of_tiles(gemm(4096.0, 4096.0, 64.0), in_pairs()), 256.0);
  EXPECT_EQ(clusters_of_tiles(Work{.other = Bytes(1.0)}, in_pairs()), std::nullopt);
}

// Event simulation: each cluster with room has its first tile, and takes the next when it is free;
// those without room start when no tile is left.
int simulated_waves(int clusters, int room, int idle) {
  const int started = std::min(clusters, idle);
  std::priority_queue<int, std::vector<int>, std::greater<>> free_at;
  for (int first = 0; first < std::min(room, started); ++first) {
    free_at.push(1);
  }
  int end = 1;
  for (int tile = started; tile < clusters; ++tile) {
    end = std::max(end, free_at.top() + 1);
    free_at.push(free_at.top() + 1);
    free_at.pop();
  }
  for (int waiting = started - room; waiting > 0; waiting -= room) {
    ++end;
  }
  return end;
}

RC_GTEST_PROP(WavesOf, EqualsASimulationOfPersistentClusters, ()) {
  const int idle = *rc::gen::inRange(1, 70);
  const int room = *rc::gen::inRange(1, idle + 1);
  const int clusters = *rc::gen::inRange(1, 600);

  RC_ASSERT(waves_of(clusters, room, idle) == simulated_waves(clusters, room, idle));
}

// Measured on an H200: waves of GEMMs of 4096 beside idle resident blocks on 0, 2, 4 and 112 cores,
// which leave 66, 64, 62 and 9 clusters.
TEST(WavesOf, MatchesAnH200) {
  EXPECT_EQ(waves_of(256.0, 66.0, 66.0), 4.0);
  EXPECT_EQ(waves_of(256.0, 64.0, 66.0), 5.0);
  EXPECT_EQ(waves_of(256.0, 62.0, 66.0), 6.0);
  EXPECT_EQ(waves_of(256.0, 9.0, 66.0), 30.0);
}

}  // namespace
}  // namespace cairn::kernel
