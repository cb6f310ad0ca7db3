// Where nothing contends, the simulation equals the closed form, whatever the algorithm.
#include "cairn/comm/closed_form.hpp"

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

TEST(DoubleBinaryTree, KeepsThePaceOfAChunkWhereEachEdgeHasItsLink) {
  // Among four devices the two trees have no edge in common in the same direction.
  const comm::Way edge{kBandwidth, kLatency};
  for (const std::uint32_t chunks : {1U, 5U, 40U}) {
    for (const Op op : {Op::kBroadcast, Op::kReduce}) {
      expect_time("fully_connected:4@25GB/s,500ns",
                  op,
                  "double_binary_tree",
                  chunks,
                  comm::double_binary_tree_time(op, 4, kSize, edge, chunks));
    }
  }
}

TEST(DoubleBinaryTree, AtMostHalvesItsPaceWhereOneTreesWayUpIsTheOthersWayDown) {
  const auto platform = platform_of("fully_connected:4@25GB/s,500ns");
  const comm::Way edge{kBandwidth, kLatency};
  for (const std::uint32_t chunks : {1U, 5U, 40U}) {
    const Seconds alone = comm::double_binary_tree_time(Op::kAllReduce, 4, kSize, edge, chunks);

    const Seconds time = run(platform,
                             {.size = kSize, .group = {}, .weights = {}},
                             {.algorithm = "double_binary_tree", .chunks = chunks})
                             .time;

    EXPECT_GE(time, alone * (1.0 - 1e-6)) << chunks;
    EXPECT_LE(time, 2.0 * alone) << chunks;
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
           {{4, way(200, 72)}, {4, way(25, 402)}, {4, way(25, 402)}}}};
}

TEST(Hierarchical, InOneChunkAddsUpItsPhases) {
  for (const Torus& torus : tori()) {
    for (const Op op : {Op::kAllReduce, Op::kReduceScatter, Op::kAllGather}) {
      expect_time(torus.text,
                  op,
                  "hierarchical",
                  1,
                  comm::hierarchical_time(op, torus.dimensions, kSize, 1));
    }
  }
  expect_time(tori().back().text,
              Op::kAllReduce,
              "nested",
              1,
              comm::nested_time(tori().back().dimensions, kSize, 1));
}

TEST(Hierarchical, InManyChunksKeepsThePaceOfItsBusiestDimension) {
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
      // A dimension may wait for a chunk that the one before it has not finished.
      EXPECT_LE(time, most + least / static_cast<double>(chunks)) << torus.text << " " << chunks;
    }
  }
}

}  // namespace
}  // namespace cairn
