// Without contention the simulation equals the closed form, for every algorithm.
#include "cairn/comm/test_support/closed_form.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using comm::Op;

constexpr Bytes kSize{12345678.0};
constexpr BytesPerSecond kBandwidth{25e9};
constexpr Seconds kLatency{0.5e-6};

void expect_time(const std::string& text,
                 Op op,
                 const std::string& algorithm,
                 std::uint32_t chunks,
                 Seconds expected) {
  const auto platform = platform_of(text);
  const comm::Collective collective{
      .op = op, .size = kSize, .group = {}, .root = comm::info(op).rooted ? 1U : 0U, .weights = {}};
  for (const bool fold : {false, true}) {
    for (const bool steps : {true, false}) {
      const CollectiveOptions options{
          .algorithm = algorithm, .chunks = chunks, .fold = fold, .steps = steps};
      EXPECT_LT(relative_error(run(platform, collective, options).time, expected), 1e-6)
          << text << " " << comm::info(op).name << " " << algorithm << (fold ? " folded" : "")
          << (steps ? " step by step" : "");
    }
  }
}

std::string with_devices(const char* topology, std::uint32_t devices) {
  return topology + std::to_string(devices) + "@25GB/s,500ns";
}

TEST(DirectOnASwitch, SharesADevicesLinkAmongAllItsMessages) {
  for (const std::uint32_t n : {2U, 3U, 8U, 13U}) {
    for (const Op op : {Op::kAllToAll,
                        Op::kAllReduce,
                        Op::kReduceScatter,
                        Op::kAllGather,
                        Op::kBroadcast,
                        Op::kReduce,
                        Op::kGather,
                        Op::kScatter}) {
      expect_time(with_devices("switch:", n),
                  op,
                  "direct",
                  1,
                  comm::direct_time(op, n, kSize, {kBandwidth, 2.0 * kLatency}));
    }
  }
}

TEST(DirectWhenFullyConnected, UsesAllLinksOfADeviceAtOnce) {
  for (const std::uint32_t n : {2U, 3U, 8U, 13U}) {
    for (const Op op : {Op::kAllToAll, Op::kAllReduce, Op::kAllGather, Op::kBroadcast}) {
      expect_time(with_devices("fully_connected:", n),
                  op,
                  "direct",
                  1,
                  comm::direct_time(op, n, kSize, {kBandwidth * (n - 1.0), kLatency}));
    }
  }
}

TEST(HalvingDoubling, HasNoContentionOnASwitchOrBetweenAllPairs) {
  for (const std::uint32_t n : {2U, 3U, 5U, 8U, 12U, 16U}) {
    for (const Op op : {Op::kAllReduce, Op::kReduceScatter, Op::kAllGather}) {
      expect_time(with_devices("switch:", n),
                  op,
                  "halving_doubling",
                  1,
                  comm::halving_doubling_time(op, n, kSize, {kBandwidth, 2.0 * kLatency}));
      expect_time(with_devices("fully_connected:", n),
                  op,
                  "halving_doubling",
                  1,
                  comm::halving_doubling_time(op, n, kSize, {kBandwidth, kLatency}));
    }
  }
}

TEST(SendReceive, IsLatencyAndBytesOverBandwidth) {
  expect_time("switch:2@25GB/s,500ns",
              Op::kSendReceive,
              "direct",
              1,
              comm::direct_time(Op::kSendReceive, 2, kSize, {kBandwidth, 2.0 * kLatency}));
}

TEST(DoubleBinaryTree, RunsAtChunkRateWhereEachEdgeHasItsLink) {
  // Among three devices or more the two trees have no edge in common in the same direction.
  const comm::Way edge{kBandwidth, kLatency};
  for (std::uint32_t n = 3; n <= 33; ++n) {
    for (const std::uint32_t chunks : {1U, 5U, 40U}) {
      for (const Op op : {Op::kBroadcast, Op::kReduce}) {
        expect_time(with_devices("fully_connected:", n),
                    op,
                    "double_binary_tree",
                    chunks,
                    comm::double_binary_tree_time(op, n, kSize, edge, chunks));
      }
    }
  }
}

TEST(DoubleBinaryTree, RunsAtHalfRateWhereTwoDevicesShareALinkForBothTrees) {
  const comm::Way shared{kBandwidth / 2.0, kLatency};
  for (const Op op : {Op::kBroadcast, Op::kReduce}) {
    expect_time(with_devices("fully_connected:", 2),
                op,
                "double_binary_tree",
                1,
                comm::double_binary_tree_time(op, 2, kSize, shared, 1));
  }
}

TEST(DoubleBinaryTree, RunsAtHalfRateOrMoreWhereTheTreesShareLinks) {
  const comm::Way edge{kBandwidth, kLatency};
  for (const std::uint32_t n : {3U, 4U, 7U, 8U, 12U, 17U, 32U}) {
    const auto platform = platform_of(with_devices("fully_connected:", n));
    for (const std::uint32_t chunks : {1U, 5U, 40U}) {
      const Seconds alone = comm::double_binary_tree_time(Op::kAllReduce, n, kSize, edge, chunks);

      const Seconds time = run(platform,
                               {.size = kSize, .group = {}, .weights = {}},
                               {.algorithm = "double_binary_tree", .chunks = chunks})
                               .time;

      EXPECT_GE(time, alone * (1.0 - 1e-6)) << n << " devices, chunks " << chunks;
      EXPECT_LE(time, 2.0 * alone) << n << " devices, chunks " << chunks;
    }
  }
}

struct Torus {
  const char* text;
  std::vector<comm::RingDimension> dimensions;
};

std::vector<Torus> tori() {
  const auto way = [](double gigabytes, double nanoseconds) {
    return comm::Way{BytesPerSecond(gigabytes * 1e9), Seconds(nanoseconds * 1e-9)};
  };
  return {{"torus:6@25GB/s,500ns", {{6, way(25, 500)}}},
          {"torus:4x3@50GB/s,25GB/s,100ns,500ns", {{4, way(50, 100)}, {3, way(25, 500)}}},
          {"torus:2x5@50GB/s,25GB/s,100ns,500ns", {{2, way(50, 100)}, {5, way(25, 500)}}},
          {"torus:4x4x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns",
           {{4, way(200, 72)}, {4, way(25, 402)}, {4, way(25, 402)}}},
          {"torus:3x2x5@200GB/s,25GB/s,37GB/s,72ns,402ns,100ns",
           {{3, way(200, 72)}, {2, way(25, 402)}, {5, way(37, 100)}}}};
}

TEST(Hierarchical, InOneChunkIsTheSumOfItsPhases) {
  for (const Torus& torus : tori()) {
    for (const Op op : {Op::kAllReduce, Op::kReduceScatter, Op::kAllGather}) {
      expect_time(torus.text,
                  op,
                  "hierarchical",
                  1,
                  comm::hierarchical_time(op, torus.dimensions, kSize, 1));
    }
  }
}

TEST(Nested, InOneChunkIsTheSumOfItsPhases) {
  for (const Torus& torus : tori()) {
    if (torus.dimensions.size() > 2) {
      expect_time(
          torus.text, Op::kAllReduce, "nested", 1, comm::nested_time(torus.dimensions, kSize, 1));
    }
  }
}

// The formulas of docs/comm.md, written out for three dimensions.
TEST(HierarchicalAndNested, TakeTheirLatenciesAndHalfTheirVolumesPerDirection) {
  const Torus torus{"torus:2x3x4@200GB/s,25GB/s,37GB/s,72ns,402ns,100ns",
                    {{2, {BytesPerSecond(200e9), Seconds(72e-9)}},
                     {3, {BytesPerSecond(25e9), Seconds(402e-9)}},
                     {4, {BytesPerSecond(37e9), Seconds(100e-9)}}}};
  const auto dimension = [&](std::size_t i, double bytes_per_byte) {
    const auto& [width, step] = torus.dimensions[i];
    return 2.0 * (width - 1.0) * step.latency + kSize * (0.5 * bytes_per_byte) / step.bandwidth;
  };

  // 2(d_i - 1) / d_i of the part that a device still reduces
  expect_time(torus.text,
              Op::kAllReduce,
              "hierarchical",
              1,
              dimension(0, 2.0 * 1 / 2) + dimension(1, 2.0 * 2 / (3 * 2)) +
                  dimension(2, 2.0 * 3 / (4 * 2)));
  expect_time(torus.text,
              Op::kAllReduce,
              "nested",
              1,
              dimension(0, 2.0 * 1 / 2) + dimension(1, 2.0 * 2 / (3 * 2)) +
                  dimension(2, 2.0 * 3 / (4 * 2 * 3)));
}

TEST(Hierarchical, InManyChunksRunsAtTheRateOfItsBusiestDimension) {
  for (const Torus& torus : tori()) {
    for (const std::uint32_t chunks : {4U, 16U, 64U}) {
      const CollectiveOptions options{.algorithm = "hierarchical", .chunks = chunks};

      const Seconds time =
          run(platform_of(torus.text), {.size = Bytes(1e9), .group = {}, .weights = {}}, options)
              .time;

      const Seconds least =
          comm::hierarchical_bottleneck(Op::kAllReduce, torus.dimensions, Bytes(1e9));
      const Seconds most =
          comm::hierarchical_time(Op::kAllReduce, torus.dimensions, Bytes(1e9), chunks);
      EXPECT_GE(time, least * (1.0 - 1e-9)) << torus.text << " " << chunks;
      // A dimension may wait for a chunk that the previous dimension has not finished.
      EXPECT_LE(time, most + least / static_cast<double>(chunks)) << torus.text << " " << chunks;
    }
  }
}

}  // namespace
}  // namespace cairn
