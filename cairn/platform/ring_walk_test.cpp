#include "cairn/platform/ring_walk.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>

#include "cairn/platform/test_support/platforms.hpp"
#include "cairn/platform/topology/fully_connected.hpp"
#include "cairn/platform/topology/grid.hpp"

namespace cairn::platform {
namespace {

void expect_rings(const Platform& platform, std::size_t count) {
  EXPECT_EQ(platform.rings.size(), count) << platform.name;
  EXPECT_EQ(fault_of_rings(platform).value_or(""), "") << platform.name;
}

TEST(MeshRings, ExistIfOneDimensionIsEvenAndAnotherIsWide) {
  EXPECT_TRUE(rc::check("mesh ring exists if possible", [] {
    const auto dims =
        *rc::gen::container<std::vector<std::uint64_t>>(3, rc::gen::inRange<std::uint64_t>(1, 6));
    const Platform mesh = topology::make_mesh({dims, {BytesPerSecond(1e9)}, {Seconds(0.0)}});
    std::size_t wide = 0;
    for (const std::uint64_t width : dims) {
      wide += width > 1 ? 1 : 0;
    }

    // A grid is two-coloured like a chess board, so a ring needs as many black as white devices.
    RC_ASSERT(mesh.rings.size() == (wide >= 2 && mesh.device_count() % 2 == 0 ? 1U : 0U));
    RC_ASSERT(!fault_of_rings(mesh));
  }));
}

TEST(WaleckiCycles, UseAllEdgesOfTheCompleteGraphButAMatching) {
  for (std::uint32_t n = 1; n <= 40; ++n) {
    const auto cycles = topology::walecki_cycles(n);

    EXPECT_EQ(cycles.size(), n < 3 ? 0U : (n - 1) / 2) << n;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& cycle : cycles) {
      EXPECT_EQ(std::set(cycle.begin(), cycle.end()).size(), n);
      EXPECT_EQ(cycle.size(), n);
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        edges.insert(std::minmax(cycle[i], cycle[(i + 1) % cycle.size()]));
      }
    }
    EXPECT_EQ(edges.size(), cycles.size() * n) << n;
  }
}

TEST(FullyConnected, HasHalfAsManyRingsAsLinksPerDevice) {
  expect_rings(read_platform("fully_connected:8@1GB/s", {}), 3);
  expect_rings(read_platform("fully_connected:9@1GB/s", {}), 4);
}

TEST(CubeMesh, HasThePairsOfDgx1v) {
  const Platform cube = read_platform("cube_mesh@25GB/s", {});
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> cables;
  for (std::size_t l = 0; l < cube.graph.links().size(); l += 2) {
    const Link& link = cube.graph.links()[l];
    ++cables[std::minmax(cube.graph.node(link.from).ordinal, cube.graph.node(link.to).ordinal)];
  }

  // The cables of a DGX-1V by pair of devices, as NCCL prints its topology.
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> expected;
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 1}, {0, 2}, {1, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 6}, {5, 7}}) {
    expected[{a, b}] = 1;
  }
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {4, 7}, {5, 6}, {6, 7}}) {
    expected[{a, b}] = 2;
  }
  EXPECT_EQ(cables, expected);
  expect_rings(cube, 3);
  EXPECT_EQ(count_idle_cables(cube), 0U);
}

bool all_symmetric(const std::string& text) {
  const Platform platform = read_platform(text, {});
  return std::ranges::all_of(platform.rings, &Ring::shift_symmetric);
}

TEST(SymmetricRings, AreThoseThatShiftsMapOntoThemselves) {
  EXPECT_TRUE(all_symmetric("ring:2@1GB/s"));
  EXPECT_TRUE(all_symmetric("ring:6@1GB/s"));
  EXPECT_TRUE(all_symmetric("torus:6@1GB/s"));
  EXPECT_TRUE(all_symmetric("rings:6x3@1GB/s"));
  EXPECT_TRUE(all_symmetric("rings:2x3@1GB/s"));
  EXPECT_TRUE(all_symmetric("mc_dla_ring:8x3@1GB/s"));
  EXPECT_TRUE(all_symmetric("fully_connected:3@1GB/s"));
}

TEST(SymmetricRings, AreNotTheGrayCodesOfATorusNorWaleckisCycles) {
  EXPECT_FALSE(all_symmetric("torus:4x4@1GB/s"));
  EXPECT_FALSE(all_symmetric("torus:4x3@1GB/s"));
  EXPECT_FALSE(all_symmetric("fully_connected:5@1GB/s"));
  EXPECT_FALSE(all_symmetric("cube_mesh@1GB/s"));
  EXPECT_FALSE(all_symmetric("mc_dla_star_a@1GB/s"));
}

TEST(FaultOfRings, NamesTheMissingDevice) {
  Platform ring = read_platform("torus:3x2@1GB/s", {});
  Ring partial;
  for (std::size_t l = 0; l < 6; l += 2) {
    partial.links.emplace_back(l);  // the first row alone
  }
  ring.rings = {partial};

  EXPECT_EQ(fault_of_rings(ring), "device 3 is not visited exactly once");
}

}  // namespace
}  // namespace cairn::platform
