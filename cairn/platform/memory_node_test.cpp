#include "cairn/platform/memory_node.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/platform/backing_store.hpp"
#include "cairn/platform/test_support/platforms.hpp"
#include "cairn/platform/topology/mc_dla.hpp"

namespace cairn::platform {
namespace {

using testing::HasSubstr;

TEST(MemoryNode, HasTheBandwidthCapacityAndPowerOfItsDimms) {
  for (const Dimm& dimm : kDimms) {
    for (const double bandwidth : {17e9, 25.6e9}) {
      const NodeMemory memory =
          memory_of({.dimm = dimm.kind, .dimms = 10, .dimm_bandwidth = BytesPerSecond(bandwidth)});

      EXPECT_DOUBLE_EQ(memory.bandwidth.si(), 10.0 * bandwidth);
      EXPECT_DOUBLE_EQ(memory.capacity.si(), 10.0 * dimm.capacity.si());
      EXPECT_DOUBLE_EQ(memory.power.si(), 10.0 * dimm.power.si());
    }
  }
}

// Section III-A: 80 GB to 1.3 TB, 170 to 256 GB/s.
TEST(MemoryNode, SpansTheRangeOfThePaper) {
  const NodeMemory least =
      memory_of({.dimm = DimmKind::kRdimm8, .dimm_bandwidth = BytesPerSecond(17e9)});
  const NodeMemory most = memory_of({});

  EXPECT_DOUBLE_EQ(least.capacity.si(), 80e9);
  EXPECT_DOUBLE_EQ(least.bandwidth.si(), 170e9);
  EXPECT_DOUBLE_EQ(most.capacity.si(), 1.28e12);
  EXPECT_DOUBLE_EQ(most.bandwidth.si(), 256e9);
}

TEST(MemoryNode, CompressionRaisesBandwidthUpToTheStageRate) {
  const auto with_rate = [](double rate) {
    return memory_of({.stage = MemoryStage{.rate = BytesPerSecond(rate), .ratio = 2.0}});
  };

  EXPECT_DOUBLE_EQ(with_rate(1e12).bandwidth.si(), 2.0 * 256e9);
  EXPECT_DOUBLE_EQ(with_rate(60e9).bandwidth.si(), 2 * 60e9);  // two groups
  EXPECT_DOUBLE_EQ(with_rate(60e9).capacity.si(), 2.0 * 1.28e12);
}

TEST(MemoryNode, EncryptionLimitsTheRateOnly) {
  const NodeMemory plain = memory_of({});
  const NodeMemory memory = memory_of(
      {.stage = MemoryStage{.kind = StageKind::kEncryption, .rate = BytesPerSecond(50e9)}});

  EXPECT_DOUBLE_EQ(memory.bandwidth.si(), 100e9);
  EXPECT_EQ(memory.capacity, plain.capacity);
  EXPECT_EQ(memory.power, plain.power);
}

TEST(MemoryNode, ParametersOfThePlatformFileReachTheBackingStore) {
  const Platform ring = from_yaml(
      "topology: mc_dla_ring\n"
      "memory_node: {dimm: rdimm-16, dimms: 4, dimm_bandwidth: 17 GB/s, latency: 80 ns,\n"
      "              stage: {kind: encryption, rate: 20 GB/s}}\n");

  for (const StorePart& part : backing_store(ring, 0, PagePlacement::kBandwidthAware)) {
    EXPECT_DOUBLE_EQ(part.bandwidth.si(), 20e9);
    EXPECT_DOUBLE_EQ(part.capacity.si(), 4 * 16e9 / 2);
    EXPECT_DOUBLE_EQ(part.latency.si(), 80e-9);
  }
}

TEST(MemoryNode, RejectsAnUnknownDimmAndACompressionRatioOfEncryption) {
  EXPECT_THAT(
      complaint([] { from_yaml("topology: mc_dla_star_b\nmemory_node: {dimm: lrdimm-129}\n"); }),
      HasSubstr("lrdimm-128"));
  EXPECT_THAT(complaint([] {
                from_yaml(
                    "topology: mc_dla_star_a\n"
                    "memory_node:\n  stage: {kind: encryption, rate: 1 GB/s, ratio: 2}\n");
              }),
              HasSubstr("test.yaml:3: memory_node.stage.ratio"));
}

// Section V-C: a DGX of 3200 W less 8 x 300 W, and eight memory-nodes of Table IV.
TEST(Power, IsTheSumOfSystemAndMemoryNodes) {
  const auto power = [](const std::string& yaml) {
    return power_without_devices(from_yaml(yaml)).si();
  };

  EXPECT_DOUBLE_EQ(power("topology: mc_dla_ring\n"), 8 * 10 * 12.7);
  EXPECT_DOUBLE_EQ(power("topology: mc_dla_ring\nsystem_power: 800 W\n"
                         "memory_node: {dimm: rdimm-8}\n"),
                   800.0 + 8 * 10 * 2.9);
  EXPECT_DOUBLE_EQ(power("topology: islands\nisland: {topology: hc_dla, system_power: 800 W}\n"
                         "between: {topology: switch, devices: 4, bandwidth: 1 GB/s,"
                         " system_power: 90 W}\n"),
                   4 * 800.0 + 90.0);
}

// Four memory-nodes of 10 DIMMs, 12.7 W each, and the rest of the system node.
TEST(Power, OfAPlaneIsTheSumOfItsSystemNodes) {
  for (const std::uint32_t system_nodes : {1U, 3U, 16U}) {
    const std::string plane = fmt::format(
        "topology: mc_dla_plane\nsystem_node_power: 400 W\nsystem_nodes: {}\n", system_nodes);

    EXPECT_DOUBLE_EQ(power_without_devices(from_yaml(plane)).si(),
                     system_nodes * (400.0 + 4 * 10 * 12.7));
    EXPECT_DOUBLE_EQ(power_without_devices(from_yaml(plane + "system_power: 90 W\n")).si(),
                     90.0 + system_nodes * 4 * 10 * 12.7);
  }
}

TEST(HostSocket, HasTheGivenCapacityAndLatency) {
  for (const char* topology : {"cube_mesh\nhost: true", "hc_dla", "dc_dla"}) {
    const auto part = [&](const std::string& more) {
      return backing_store(from_yaml(std::string("topology: ") + topology + "\n" + more),
                           5,
                           PagePlacement::kBandwidthAware)
          .front();
    };

    EXPECT_EQ(part("").capacity, Bytes::infinity());
    const StorePart stated = part("socket_memory_capacity: 256 GB\nsocket_memory_latency: 90 ns\n");
    EXPECT_EQ(stated.capacity, Bytes(256e9));
    EXPECT_EQ(stated.latency, Seconds(90e-9));
  }
}

}  // namespace
}  // namespace cairn::platform
