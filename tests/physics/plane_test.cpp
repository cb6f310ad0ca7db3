// The scale-out plane of device-side switches: collective times, derived by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "cairn/comm/test_support/closed_form.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

constexpr Bytes kSize{12345678.0};
constexpr BytesPerSecond kLink{25e9};
constexpr Seconds kLatency{300e-9};
constexpr Seconds kSwitch{100e-9};
constexpr std::uint32_t kLinks = 3;

platform::Platform plane(std::uint32_t devices, std::uint32_t system_nodes, std::uint32_t trunks) {
  return platform_of_yaml(
      fmt::format("{{topology: mc_dla_plane, devices: {}, system_nodes: {}, links: {}, "
                  "bandwidth: 25 GB/s, latency: 300 ns, switch_latency: 100 ns{}}}",
                  devices,
                  system_nodes,
                  kLinks,
                  system_nodes > 1 ? fmt::format(", trunks: {}", trunks) : std::string()));
}

// All simulation modes of an all-reduce agree; returns their time.
Seconds all_reduce(const platform::Platform& platform) {
  const comm::Collective collective{.size = kSize, .group = {}, .weights = {}};
  const auto time = [&](bool fold, bool steps) {
    return run(platform,
               collective,
               {.algorithm = "hierarchical", .chunks = 1, .fold = fold, .steps = steps})
        .time;
  };
  const Seconds folded = time(true, false);
  for (const bool fold : {false, true}) {
    for (const bool steps : {false, true}) {
      EXPECT_LT(relative_error(time(fold, steps), folded), 1e-6) << platform.name << fold << steps;
    }
  }
  return folded;
}

// A device sends over all its links, in both ring directions.
TEST(Plane, OneSystemNodeIsARingOverAllLinksOfADevice) {
  for (const std::uint32_t devices : {2U, 4U, 8U}) {
    const comm::Way step{kLink * kLinks, 2.0 * kLatency + kSwitch};

    const Seconds expected = comm::ring_time(comm::Op::kAllReduce, devices, kSize, step, 1);
    EXPECT_LT(relative_error(all_reduce(plane(devices, 1, 8)), expected), 1e-6) << devices;
  }
}

// Between system nodes a device has the minimum of its links and its share of the trunks. Both
// ring directions share it.
TEST(Plane, ManySystemNodesAddARingBetweenThem) {
  constexpr std::uint32_t kDevices = 4;
  for (const std::uint32_t system_nodes : {2U, 3U, 8U}) {
    for (const std::uint32_t trunks : {1U, 2U, 4U, 8U}) {
      const double part = std::min(1.0, static_cast<double>(trunks) / kDevices);
      const comm::RingDimension inside{kDevices,
                                       {kLink * (kLinks / 2.0), 2.0 * kLatency + kSwitch}};
      const comm::RingDimension between{
          system_nodes, {kLink * (kLinks / 2.0 * part), 4.0 * kLatency + 3.0 * kSwitch}};

      const Seconds expected =
          comm::hierarchical_time(comm::Op::kAllReduce, std::vector{inside, between}, kSize, 1);
      EXPECT_LT(relative_error(all_reduce(plane(kDevices, system_nodes, trunks)), expected), 1e-6)
          << system_nodes << " system nodes, " << trunks << " trunks";
    }
  }
}

TEST(Plane, MoreTrunksAreNeverSlower) {
  Seconds before = Seconds::infinity();
  for (const std::uint32_t trunks : {1U, 2U, 3U, 4U, 8U}) {
    const Seconds time = all_reduce(plane(4, 8, trunks));
    EXPECT_LE(time, before * (1.0 + 1e-9)) << trunks;
    before = time;
  }
}

// System nodes connected by a separate network of the same speed take the same time.
TEST(Plane, ASeparateNetworkOfTheSameSpeedTakesTheSameTime) {
  const auto joined = platform_of_yaml(
      "{topology: islands, "
      "island: {topology: mc_dla_plane, bandwidth: 25 GB/s, latency: 300 ns, "
      "switch_latency: 100 ns}, "
      "between: {topology: switch, devices: 8, bandwidth: 75 GB/s, latency: 750 ns}}");

  EXPECT_LT(relative_error(all_reduce(joined), all_reduce(plane(4, 8, 8))), 1e-6);
}

}  // namespace
}  // namespace cairn
