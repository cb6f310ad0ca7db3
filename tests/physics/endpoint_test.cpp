// Cost of executing a collective at the devices: closed forms where the endpoint is the bottleneck,
// and ideal times where it has ample resources.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cairn/comm/algorithm.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

using comm::Accounting;
using comm::Endpoint;
using comm::Executor;
using comm::Op;

constexpr const char* kTorus = "torus:4x4x4@200GB/s,25GB/s,25GB/s";

Endpoint cores(Accounting accounting, double memory, double move = 1e18, double bus = 1e18) {
  return {.executor = Executor::kCores,
          .accounting = accounting,
          .cores_move = BytesPerSecond(move),
          .memory = BytesPerSecond(memory),
          .bus = BytesPerSecond(bus)};
}

Endpoint engine(Accounting accounting, double memory, double bus = 1e24) {
  return {.executor = Executor::kEngine,
          .accounting = accounting,
          .memory = BytesPerSecond(memory),
          .bus = BytesPerSecond(bus)};
}

CollectiveOptions with(const Endpoint& endpoint,
                       const std::string& algorithm,
                       std::uint32_t chunks) {
  CollectiveOptions options{.algorithm = algorithm, .chunks = chunks};
  options.endpoint = endpoint;
  return options;
}

// n = 8 on links of 100 GB/s: 2 (n-1)/n S are sent, each byte read 1.5 times at b.
TEST(Endpoint, ThatBoundsARingTakesReadsOverBandwidth) {
  const auto ring = platform_of("ring:8@100GB/s");
  const double sent = 2.0 * 7.0 / 8.0 * 1e8;
  for (const bool fold : {true, false}) {
    for (const bool steps : {true, false}) {
      for (const double memory : {10e9, 75e9, 149e9}) {
        auto options = with(cores(Accounting::kPaper, memory), "ring", 1);
        options.fold = fold;
        options.steps = steps;
        const auto result = run(ring, {.size = Bytes(1e8)}, options);

        // Events are rounded to whole picoseconds.
        const double seconds = 1.5 * sent / memory;
        EXPECT_NEAR(result.time.si(), seconds, 1e-12 * static_cast<double>(result.events));
        EXPECT_NEAR(result.driven_bandwidth.si() / (memory / 1.5), 1.0, 1e-7);
        EXPECT_EQ(result.bound.text.find("endpoint: memory of device"), 0U) << result.bound.text;
        EXPECT_NEAR(result.read_per_device.si(), 1.5 * sent, 1e-3);
        EXPECT_EQ(result.written_per_device, Bytes(0.0));
      }
    }
  }
}

// With every access: (2k+1) + k blocks are read and (k+1) + k written, of S/n each, k = n-1.
TEST(Endpoint, WithExactAccountingReadsAndWritesShareOneMemory) {
  const auto ring = platform_of("ring:8@100GB/s");
  const double k = 7.0;
  const double read = (3.0 * k + 1.0) / 8.0 * 1e8;
  const double written = (2.0 * k + 1.0) / 8.0 * 1e8;
  for (const bool fold : {true, false}) {
    auto options = with(cores(Accounting::kExact, 50e9), "ring", 1);
    options.fold = fold;
    const auto result = run(ring, {.size = Bytes(1e8)}, options);

    EXPECT_NEAR(result.read_per_device.si() / read, 1.0, 1e-12);
    EXPECT_NEAR(result.written_per_device.si() / written, 1.0, 1e-12);
    // Phases one after the other, each bound by memory.
    EXPECT_NEAR(result.time.si() / ((read + written) / 50e9), 1.0, 1e-9);
  }
}

// Core traffic equals memory traffic; the bus has the bytes sent or received, per direction.
TEST(Endpoint, IsBoundByItsSlowestPart) {
  const auto ring = platform_of("ring:8@100GB/s");
  const auto by_cores =
      run(ring, {.size = Bytes(1e8)}, with(cores(Accounting::kPaper, 140e9, 60e9), "ring", 1));
  const auto by_bus = run(
      ring, {.size = Bytes(1e8)}, with(cores(Accounting::kPaper, 140e9, 1e18, 30e9), "ring", 1));

  EXPECT_NEAR(by_cores.driven_bandwidth.si() / 40e9, 1.0, 1e-9);
  EXPECT_EQ(by_cores.bound.text.find("endpoint: cores of device"), 0U) << by_cores.bound.text;
  EXPECT_NEAR(by_bus.driven_bandwidth.si() / 30e9, 1.0, 1e-9);
  EXPECT_EQ(by_bus.bound.text.find("endpoint: bus"), 0U) << by_bus.bound.text;
}

// Slope 1/1.5 up to the network's 300 GB/s, and no further.
TEST(Endpoint, DrivesATorusUpToItsReadBandwidth) {
  const auto torus = platform_of(kTorus);
  for (const double memory : {64e9, 128e9, 300e9, 400e9, 500e9, 900e9}) {
    const auto result = run(
        torus, {.size = Bytes(1e9)}, with(cores(Accounting::kPaper, memory), "hierarchical", 1024));

    EXPECT_NEAR(result.driven_bandwidth.si() / std::min(memory / 1.5, 300e9), 1.0, 0.01) << memory;
  }
}

// 2.25 bytes are sent for each that is read: 133 GB/s of reads saturate the links, and 128 GB/s
// drive 288 GB/s. With writes it is twice that.
TEST(Endpoint, EngineReadsEachByteOfPayloadOnce) {
  const auto torus = platform_of(kTorus);
  for (const double memory : {32e9, 64e9, 128e9, 140e9, 500e9}) {
    const auto reads = run(torus,
                           {.size = Bytes(1e9)},
                           with(engine(Accounting::kPaper, memory), "hierarchical", 1024));
    const auto both = run(torus,
                          {.size = Bytes(1e9)},
                          with(engine(Accounting::kExact, 2.0 * memory), "hierarchical", 1024));

    const double driven = std::min(2.25 * memory, 300e9);
    EXPECT_NEAR(reads.driven_bandwidth.si() / driven, 1.0, 0.015) << memory;
    EXPECT_NEAR(both.driven_bandwidth.si() / driven, 1.0, 0.015) << memory;
    EXPECT_NEAR(reads.read_per_device.si(), 1e9, 1.0);
    EXPECT_EQ(reads.written_per_device, Bytes(0.0));
    EXPECT_NEAR(both.read_per_device.si(), 1e9, 1.0);
    EXPECT_NEAR(both.written_per_device.si(), 1e9, 1.0);
  }
}

// In one chunk nothing overlaps: DMA in, the ring, DMA out.
TEST(Endpoint, EngineReadsBeforeAndWritesAfterAChunk) {
  const auto ring = platform_of("ring:8@100GB/s,1us");
  const double ideal = 14.0 * (1e-6 + 1e8 / 8.0 / 100e9);
  for (const bool fold : {true, false}) {
    auto options = with(engine(Accounting::kExact, 200e9, 50e9), "ring", 1);
    options.fold = fold;
    const auto result = run(ring, {.size = Bytes(1e8)}, options);

    EXPECT_NEAR(
        result.time.si(), ideal + 2.0 * 1e8 / 50e9, 1e-12 * static_cast<double>(result.events));
  }
}

// Ideal is never slower than an engine, nor an engine slower than cores with the same reservations,
// given enough chunks to overlap.
TEST(Endpoint, EngineIsBetweenIdealAndCores) {
  for (const char* text : {"torus:4x2x2@200GB/s,25GB/s,25GB/s",
                           kTorus,
                           "torus:4x8x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns"}) {
    const auto torus = platform_of(text);
    for (const Op op : {Op::kAllReduce, Op::kReduceScatter, Op::kAllGather}) {
      for (const auto accounting : {Accounting::kPaper, Accounting::kExact}) {
        for (const double memory : {64e9, 128e9, 450e9}) {
          const auto time = [&](const Endpoint& endpoint) {
            return run(torus, {.op = op, .size = Bytes(1e8)}, with(endpoint, "hierarchical", 128))
                .time;
          };
          const Seconds ideal = time({});
          const Seconds ace = time(engine(accounting, memory, 500e9));
          EXPECT_LE(ideal, ace) << text;
          EXPECT_LE(ace.si(), time(cores(accounting, memory, 1e18, 500e9)).si() * 1.02)
              << text << " " << comm::info(op).name << " " << memory;
        }
      }
    }
  }
}

TEST(Endpoint, WithAmpleResourcesIsIdeal) {
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
        const std::string name(algorithm->name);
        const auto ideal = run(platform, collective, with({}, name, 3));
        for (const auto accounting : {Accounting::kPaper, Accounting::kExact}) {
          for (const Endpoint& endpoint : {cores(accounting, 1e18), engine(accounting, 1e24)}) {
            const auto found = run(platform, collective, with(endpoint, name, 3));

            EXPECT_NEAR(found.time.si(), ideal.time.si(), 1e-12 * static_cast<double>(found.events))
                << enum_name(endpoint.executor) << " " << name << " " << op.name << " on " << text;
          }
        }
      }
    }
  }
}

// The reported memory traffic equals the simulated draws.
TEST(Endpoint, ReportsItsMemoryTraffic) {
  const auto mesh = platform_of("mesh:3x3@10GB/s,1us");
  for (const comm::OpInfo& op : comm::ops()) {
    if (op.op == Op::kSendReceive) {
      continue;
    }
    const auto result = run(mesh,
                            {.op = op.op, .size = Bytes(9e6)},
                            with(cores(Accounting::kExact, 50e9, 80e9, 60e9), "direct", 2));
    Bytes moved;
    for (const explain::LinkLoad& load : result.links) {
      if (load.name.starts_with("memory of")) {
        moved += load.traffic * static_cast<double>(load.members);
      }
    }

    const Bytes reported = (result.read_per_device + result.written_per_device) * 9.0;
    EXPECT_GT(moved.si(), 0.0);
    EXPECT_NEAR(moved / reported, 1.0, 1e-9) << op.name;
  }
}

}  // namespace
}  // namespace cairn
