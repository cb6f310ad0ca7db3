#include "cairn/platform/find_rings.hpp"

#include <gtest/gtest.h>

#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform {
namespace {

std::size_t rings_found(Platform platform) {
  platform.rings = find_rings(platform);
  EXPECT_EQ(fault_of_rings(platform).value_or(""), "");
  return platform.rings.size();
}

TEST(FindRings, FindsThreeRingsInTheCubeMesh) {
  EXPECT_EQ(rings_found(read_platform("cube_mesh@25GB/s", {})), 3U);
}

TEST(FindRings, FindsRingsThroughMemoryNodes) {
  EXPECT_EQ(rings_found(read_platform("mc_dla_ring:8x3@25GB/s", {})), 3U);
}

TEST(FindRings, FindsTwoRingsInATorus) {
  EXPECT_EQ(rings_found(read_platform("torus:3x3@1GB/s", {})), 2U);
}

TEST(FindRings, ATreeASwitchAndALineHaveNone) {
  EXPECT_EQ(rings_found(read_platform("switch:4@1GB/s", {})), 0U);
  EXPECT_EQ(rings_found(read_platform("fat_tree:2x2@1GB/s", {})), 0U);
  EXPECT_EQ(rings_found(read_platform("mesh:4@1GB/s", {})), 0U);
}

TEST(FindRings, TwoDevicesNeedTwoCables) {
  EXPECT_EQ(rings_found(read_platform("ring:2@1GB/s", {})), 1U);
  EXPECT_EQ(rings_found(read_platform("fully_connected:2@1GB/s", {})), 0U);
}

TEST(FindRings, GivesUpOnAHardGraphInBoundedTime) {
  // The Petersen graph has three links per device and no Hamiltonian ring.
  const Platform petersen = from_yaml(
      "topology: graph\nnodes: [{name: o, count: 5}, {name: i, count: 5}]\n"
      "links:\n"
      "- {from: o, join: ring, bandwidth: 1 GB/s}\n"
      "- {from: o, to: i, join: pairwise, bandwidth: 1 GB/s}\n"
      "- {from: i0, to: i2, bandwidth: 1 GB/s}\n"
      "- {from: i2, to: i4, bandwidth: 1 GB/s}\n"
      "- {from: i4, to: i1, bandwidth: 1 GB/s}\n"
      "- {from: i1, to: i3, bandwidth: 1 GB/s}\n"
      "- {from: i3, to: i0, bandwidth: 1 GB/s}\n");

  EXPECT_TRUE(petersen.rings.empty());
}

TEST(FindRings, SkipsLargePlatforms) {
  EXPECT_EQ(rings_found(read_platform("ring:17@1GB/s", {})), 0U);
}

}  // namespace
}  // namespace cairn::platform
