// Collectives through engines limited by memory, state machines and ALUs: closed forms where one is
// the bottleneck, ideal times with ample resources, and properties in between.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

#include "cairn/comm/algorithm.hpp"
#include "tests/physics/random_case.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using comm::Endpoint;
using comm::Executor;
using comm::Op;

constexpr const char* kTorus = "torus:4x4x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns";

// DMA takes no time.
Endpoint engine(double sram, double fsms, chip::EngineSplit split = chip::EngineSplit::kTime) {
  Endpoint endpoint{.executor = Executor::kEngine, .memory = BytesPerSecond(1e24)};
  endpoint.engine.sram = Bytes(sram);
  endpoint.engine.fsms = fsms;
  endpoint.engine.split = split;
  return endpoint;
}

CollectiveOptions with(const Endpoint& endpoint, const std::string& algorithm) {
  CollectiveOptions options{.algorithm = algorithm};
  options.endpoint = endpoint;
  return options;
}

// Infinite links: 12 chunks in 7 steps of 1 us each, f at a time.
TEST(Engine, StateMachinesLimitConcurrentChunks) {
  const auto ring = platform_of("ring:8@1e9GB/s,1us");
  for (const double fsms : {1.0, 2.0, 3.0, 12.0}) {
    auto options = with(engine(1e9, fsms), "ring");
    options.chunks = 12;
    const auto result = run(ring, {.op = Op::kReduceScatter, .size = Bytes(12e3)}, options);

    EXPECT_NEAR(result.time.si(), 12.0 / fsms * 7e-6, 1e-9) << fsms;
    EXPECT_EQ(result.engine.partitions.front().machines, fsms);
    EXPECT_NEAR(result.engine.machines_busy, 1.0, 1e-3);
    EXPECT_NEAR(result.engine.busy, 1.0, 1e-3);
    EXPECT_EQ(result.bound.text, "endpoint: state machines of engine of device, phase 0");
  }
}

// The same with memory for r chunks, and machines for all. Results of a reduce-scatter are 1/8.
TEST(Engine, MemoryLimitsConcurrentChunks) {
  const auto ring = platform_of("ring:8@1e9GB/s,1us");
  for (const double room : {1.0, 2.0, 3.0, 12.0}) {
    auto options = with(engine(1000.0 * (room + 0.125 * room), 100.0), "ring");
    options.chunks = 12;
    const auto result = run(ring, {.op = Op::kReduceScatter, .size = Bytes(12e3)}, options);

    EXPECT_NEAR(result.time.si(), 12.0 / room * 7e-6, 1e-9) << room;
    EXPECT_NEAR(result.engine.partitions.front().peak.si(), room * 1e3, 1e-6);
  }
}

// (n-1)/n of the payload is received and reduced.
TEST(Engine, WithSlowReductionIsBoundByItsALUs) {
  const auto ring = platform_of("ring:8@100GB/s");
  auto endpoint = engine(1e9, 100.0);
  endpoint.engine.alus = BytesPerSecond(10e9);
  for (const bool fold : {true, false}) {
    auto options = with(endpoint, "ring");
    options.chunks = 1;
    options.fold = fold;
    const auto result = run(ring, {.op = Op::kReduceScatter, .size = Bytes(8e6)}, options);

    EXPECT_NEAR(result.time.si(), 7e6 / 10e9, 1e-10);
    EXPECT_EQ(result.bound.text.find("endpoint: ALUs of device"), 0U) << result.bound.text;
  }
}

// On a ring of 5, every other message is forwarded by one device, which buffers 256 B of it.
TEST(Engine, BuffersForwardedPackets) {
  const auto ring = platform_of("ring:5@1GB/s,1us");
  auto endpoint = engine(1e9, 100.0);
  auto options = with(endpoint, "direct");
  options.chunks = 1;
  const auto cut_through = run(ring, {.op = Op::kAllToAll, .size = Bytes(5.0)}, options);
  options.endpoint.engine.packet = Bytes(256.0);
  const auto stored = run(ring, {.op = Op::kAllToAll, .size = Bytes(5.0)}, options);

  EXPECT_NEAR((stored.time - cut_through.time).si(), 256e-9, 2e-12);
  EXPECT_EQ(stored.read_per_device, cut_through.read_per_device);
}

TEST(Engine, WithAmpleResourcesIsIdeal) {
  Endpoint plenty = engine(1e15, 1e6);
  plenty.engine.alus = BytesPerSecond(1e24);
  for (const char* text : {"ring:6@25GB/s,500ns",
                           "torus:4x2@200GB/s,25GB/s,72ns,402ns",
                           "switch:8x2@50GB/s,1us",
                           "mesh:3x3@10GB/s,1us",
                           "mc_dla_ring:8x3@25GB/s,200ns"}) {
    const auto platform = platform_of(text);
    const comm::GroupLayout layout = comm::make_group_layout(platform, {});
    for (const comm::Algorithm* algorithm : comm::algorithms()) {
      for (const comm::OpInfo& op : comm::ops()) {
        if (!algorithm->supports(op.op, layout)) {
          continue;
        }
        const comm::Collective collective{.op = op.op, .size = Bytes(1e7)};
        const auto time = [&](const Endpoint& endpoint) {
          auto options = with(endpoint, std::string(algorithm->name));
          options.chunks = 5;
          options.steps = true;
          return run(platform, collective, options);
        };
        const auto found = time(plenty);

        EXPECT_NEAR(found.time.si(), time({}).time.si(), 1e-12 * static_cast<double>(found.events))
            << algorithm->name << " " << op.name << " on " << text;
      }
    }
  }
}

// For any engine, all bytes arrive, and no partition exceeds its capacity.
TEST(EngineProperty, ConservesBytesAndNeverOverflows) {
  EXPECT_TRUE(rc::check([] {
    const auto& families = random_case::families();
    const auto& family = families[*rc::gen::inRange<std::size_t>(0, families.size())];
    const std::string yaml = family.yaml();
    const platform::Platform platform = platform_of_yaml(yaml);
    const comm::Collective collective = random_case::collective(platform);
    CollectiveOptions options = random_case::options(platform, collective);
    options.endpoint.executor = Executor::kEngine;
    RC_LOG() << random_case::to_text(collective, options) << " on\n" << yaml << '\n';

    const auto found = run(platform, collective, options);
    options.endpoint = {};
    const auto ideal = run(platform, collective, options);

    const double traffic = traffic_of_links(ideal).si();
    RC_ASSERT(std::abs(traffic_of_links(found).si() - traffic) <= 1e-9 * traffic);
    RC_ASSERT(found.time >= found.lower_bound * (1.0 - 1e-9));
    for (const explain::PartitionUse& partition : found.engine.partitions) {
      RC_ASSERT(partition.peak.si() <= partition.room.si() * (1.0 + 1e-9));
      RC_ASSERT(partition.machines_busy <= 1.0 + 1e-9);
    }
  }));
}

// Capacity for one chunk per phase suffices for chunks of all sizes and both directions.
TEST(EngineProperty, NeedsCapacityForOneChunkOnly) {
  EXPECT_TRUE(rc::check([] {
    const auto platform = platform_of_yaml(
        fmt::format("topology: torus\ndims: [{}, {}, {}]\nbandwidth: [200 GB/s, 25 GB/s, 10 GB/s]\n"
                    "latency: [72 ns, 402 ns, 90 ns]\n",
                    *rc::gen::element(1, 2, 4),
                    *rc::gen::element(2, 3),
                    *rc::gen::element(1, 2, 4)));
    const double size = *rc::gen::element(1e3, 1e6, 7777777.0);
    auto options = with(engine(0.0, 4.0), "hierarchical");
    options.chunks = *rc::gen::element(1U, 3U, 16U);
    options.fold = *rc::gen::arbitrary<bool>();
    options.steps = *rc::gen::arbitrary<bool>();
    options.endpoint.engine.split =
        *rc::gen::element(chip::EngineSplit::kHeuristic, chip::EngineSplit::kTime);
    // Half of the payload per direction; at most five partitions, each for a whole chunk.
    options.endpoint.engine.sram = Bytes(5.0 * size / 2.0 / *options.chunks);
    const Op op = *rc::gen::element(Op::kAllReduce, Op::kReduceScatter, Op::kAllGather);
    const auto found = evaluate_collective(platform, {.op = op, .size = Bytes(size)}, options);

    RC_ASSERT(found.feasible());
    RC_ASSERT(found->time > Seconds(0.0));
  }));
}

Endpoint ace(double sram_mib, double fsms) {
  Endpoint endpoint = engine(sram_mib * 1048576.0, fsms);
  endpoint.engine.chunk = Bytes(65536.0);
  endpoint.memory = BytesPerSecond(128e9);
  endpoint.accounting = comm::Accounting::kPaper;
  return endpoint;
}

TEST(Engine, IsBetweenIdealAndCores) {
  for (const char* text : {"torus:4x2x2@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns", kTorus}) {
    const auto torus = platform_of(text);
    for (const double fsms : {4.0, 16.0, 64.0}) {
      const auto result = run(torus, {.size = Bytes(2e7)}, with(ace(4.0, fsms), "hierarchical"));
      auto options = with({}, "hierarchical");
      options.chunks = result.chunks;
      const Seconds ideal = run(torus, {.size = Bytes(2e7)}, options).time;
      options.endpoint = {.executor = Executor::kCores,
                          .accounting = comm::Accounting::kPaper,
                          .memory = BytesPerSecond(128e9)};

      EXPECT_LE(ideal, result.time) << text;
      if (fsms >= 16.0) {
        EXPECT_LE(result.time, run(torus, {.size = Bytes(2e7)}, options).time) << text;
      }
    }
  }
}

TEST(Engine, WithMoreResourcesIsNeverSlower) {
  constexpr double kReordered = 1.001;
  const auto torus = platform_of(kTorus);
  const auto time = [&](double sram, double fsms) {
    return run(torus, {.size = Bytes(1e7)}, with(ace(sram, fsms), "hierarchical")).time.si();
  };
  for (const double fsms : {4.0, 8.0, 16.0, 20.0}) {
    for (const double sram : {0.5, 1.0, 2.0, 4.0}) {
      // Chunks in another order may contend on a link.
      EXPECT_LE(time(2.0 * sram, fsms), time(sram, fsms) * kReordered) << sram << " " << fsms;
      EXPECT_LE(time(sram, fsms + 1.0), time(sram, fsms) * kReordered) << sram << " " << fsms;
    }
  }
}

}  // namespace
}  // namespace cairn
