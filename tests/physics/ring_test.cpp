// Rings against their closed form: every step costs the latency of the slowest hop and its bytes.
#include <gtest/gtest.h>

#include <string>

#include "cairn/comm/test_support/closed_form.hpp"
#include "cairn/platform/route.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using comm::Op;

constexpr double kTolerance = 1e-4;  // 0.01 %: the clock rounds each step up to a picosecond

const comm::Collective kHundredMegabytes{.size = Bytes(100e6), .group = {}, .weights = {}};

// Every step on every device; phases collapsed; and one device for all.
void expect_every_way(const platform::Platform& platform,
                      const comm::Collective& collective,
                      const std::string& algorithm,
                      Seconds expected) {
  CollectiveOptions options = event_by_event(algorithm);
  options.chunks = 1;
  for (const bool fold : {false, true}) {
    for (const bool steps : {true, false}) {
      options.fold = fold;
      options.steps = steps;
      EXPECT_LT(relative_error(run(platform, collective, options).time, expected), kTolerance)
          << platform.name << (fold ? " folded" : "") << (steps ? " step by step" : "");
    }
  }
}

TEST(RingAllReduce, TakesTheTimeOfTheClosedForm) {
  const comm::Way link{BytesPerSecond(25e9), Seconds(0.5e-6)};
  for (const auto& [devices, milliseconds] :
       {std::pair(16U, 7.515), std::pair(64U, 7.938), std::pair(256U, 8.22375)}) {
    const auto ring = platform_of("ring:" + std::to_string(devices) + "@25GB/s,500ns");
    const Seconds expected = comm::ring_time(Op::kAllReduce, devices, Bytes(100e6), link, 1);

    EXPECT_NEAR(expected.si(), milliseconds * 1e-3, 1e-12);
    expect_every_way(ring, kHundredMegabytes, "ring", expected);
  }
}

TEST(RingAllReduce, OnAFatTreeIsLimitedByStepsBetweenLeaves) {
  const auto tree = platform_of("fat_tree:16x16@25GB/s,500ns");

  // One message in sixteen crosses four links, leaf to spine to leaf; no contention.
  const comm::Way slowest{BytesPerSecond(25e9), Seconds(4 * 0.5e-6)};
  expect_every_way(tree,
                   kHundredMegabytes,
                   "ring",
                   comm::ring_time(Op::kAllReduce, 256, Bytes(100e6), slowest, 1));
}

TEST(RingAllReduce, OnATorusFollowsARingOfNeighbours) {
  const auto torus = platform_of("torus:16x16@25GB/s,500ns");

  const comm::Way link{BytesPerSecond(25e9), Seconds(0.5e-6)};
  expect_every_way(torus,
                   kHundredMegabytes,
                   "ring",
                   comm::ring_time(Op::kAllReduce, 256, Bytes(100e6), link, 1));
}

TEST(RingAllReduce, OfAGroupIsLimitedByItsLongestRoute) {
  const auto torus = platform_of("torus:4x4@25GB/s,500ns");

  // 0 -> 5: two hops; 5 -> 10: two; 10 -> 0: two and two. No link is shared.
  const comm::Way slowest{BytesPerSecond(25e9), Seconds(4 * 0.5e-6)};
  expect_every_way(torus,
                   {.size = Bytes(100e6), .group = {0, 5, 10}, .weights = {}},
                   "ring",
                   comm::ring_time(Op::kAllReduce, 3, Bytes(100e6), slowest, 1));
}

TEST(RingsAllReduce, UsesAllRingsInBothDirections) {
  const comm::Way link{BytesPerSecond(25e9), Seconds(0.5e-6)};
  for (const auto& [text, rings] : {std::pair("ring:9@25GB/s,500ns", 1U),
                                    {"rings:9x3@25GB/s,500ns", 3U},
                                    {"cube_mesh@25GB/s,500ns", 3U},
                                    {"torus:4x4@25GB/s,500ns", 2U},
                                    {"fully_connected:7@25GB/s,500ns", 3U}}) {
    const auto platform = platform_of(text);
    const std::vector<comm::Way> ways(rings, link);
    expect_every_way(platform,
                     kHundredMegabytes,
                     "rings",
                     comm::rings_time(Op::kAllReduce, platform.device_count(), Bytes(100e6), ways));
  }
}

TEST(RingBroadcast, IsAPipelinedChain) {
  const comm::Way link{BytesPerSecond(25e9), Seconds(0.5e-6)};
  for (const Op op : {Op::kBroadcast, Op::kReduce}) {
    for (const std::uint32_t chunks : {1U, 4U, 64U}) {
      CollectiveOptions options = event_by_event("ring");
      options.chunks = chunks;
      const comm::Collective collective{
          .op = op, .size = Bytes(100e6), .group = {}, .root = 3, .weights = {}};

      const auto result = run(platform_of("ring:9@25GB/s,500ns"), collective, options);

      EXPECT_LT(relative_error(result.time, comm::ring_time(op, 9, Bytes(100e6), link, chunks)),
                kTolerance)
          << comm::info(op).name << " " << chunks;
    }
  }
}

// MC-DLA, Fig. 9: memory-nodes add no traffic of their own. Among n devices a step transfers S/n
// per direction, but a memory-node in between adds a hop and buffers 4 KiB:
//   overhead = (l + 4 KiB / b) / (l + S / (n b))
TEST(RingWithMemoryNodes, CostsOnlyTheLatencyOfTheirHops) {
  struct Case {
    const char* latency;
    double latency_s;
    double size;
    double percent;  // as in the specification
  };

  const double b = 25e9;
  const double stored = 4096.0;
  for (const Case& c : {Case{"200ns", 0.2e-6, 8.0 * 1048576, 0.9},
                        Case{"1us", 1e-6, 8.0 * 1048576, 2.7},
                        Case{"200ns", 0.2e-6, 65536.0, 69.0},
                        Case{"1us", 1e-6, 65536.0, 88.0}}) {
    const auto plain = platform_of("ring:8@25GB/s," + std::string(c.latency));
    const auto with_memory = platform_of_yaml(
        "topology: mc_dla_ring\ndevices: 8\nrings: 1\nbandwidth: 25 GB/s\n"
        "store_and_forward: 4 KiB\nlatency: " +
        std::string(c.latency));
    const comm::Collective collective{.size = Bytes(c.size), .group = {}, .weights = {}};

    const Seconds without = run(plain, collective, event_by_event("ring")).time;
    const Seconds with = run(with_memory, collective, event_by_event("ring")).time;
    const Seconds folded = run(with_memory, collective, folded_and_collapsed("ring")).time;

    const double percent = 100.0 * (with / without - 1.0);
    const double expected = 100.0 * (c.latency_s + stored / b) / (c.latency_s + c.size / 8 / b);
    EXPECT_NEAR(percent, expected, 0.1);
    EXPECT_NEAR(percent, c.percent, c.percent > 10.0 ? 0.5 : 0.05);  // as rounded there
    EXPECT_NEAR(100.0 * (folded / without - 1.0), expected, 0.1);
  }
}

}  // namespace
}  // namespace cairn
