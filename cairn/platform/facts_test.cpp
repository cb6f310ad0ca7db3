#include "cairn/platform/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/platform/dot.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Facts facts(const std::string& text) {
  return facts_of(read_platform(text, data_of_source_tree()));
}

Bisection bisection_or_none(const Facts& facts) {
  return facts.bisection.value_or(Bisection{BytesPerSecond(0.0), "none"});
}

double bisection(const std::string& text) {
  return bisection_or_none(facts(text)).bandwidth.si();
}

TEST(Facts, CountNodesByKindAndCables) {
  const Facts dc = facts("dc-dla");

  EXPECT_THAT(dc.nodes, ElementsAre(8, 0, 0, 2, 4));
  // 24 between devices; 8 devices and 4 switches have one uplink each.
  EXPECT_EQ(dc.links, 24U + 8U + 4U);
  EXPECT_EQ(dc.idle_links, 0U);  // host links do not count
}

TEST(Diameter, FollowsFromTheDims) {
  EXPECT_EQ(facts("ring:7@1GB/s").diameter, 7U / 2U);
  EXPECT_EQ(facts("torus:4x6x5@1GB/s").diameter, 2U + 3U + 2U);
  EXPECT_EQ(facts("mesh:4x6@1GB/s").diameter, 3U + 5U);
  EXPECT_EQ(facts("switch:8@1GB/s").diameter, 2U);
  EXPECT_EQ(facts("fat_tree:2x2x2@1GB/s").diameter, 6U);
  EXPECT_EQ(facts("mc_dla_ring:8x3@1GB/s").diameter, 8U);
  EXPECT_EQ(facts("fully_connected:8@1GB/s").diameter, 1U);
  EXPECT_EQ(facts("ring:1@1GB/s").diameter, 0U);
}

TEST(Bisection, OfSmallPlatformsIsTheMinimumOverAllHalves) {
  EXPECT_DOUBLE_EQ(bisection("ring:8@1GB/s"), 2 * 1e9);
  EXPECT_DOUBLE_EQ(bisection("ring:7@1GB/s"), 2 * 1e9);
  EXPECT_DOUBLE_EQ(bisection("fully_connected:8@1GB/s"), 4 * 4 * 1e9);
  EXPECT_DOUBLE_EQ(bisection("switch:8@1GB/s"), 4 * 1e9);
  EXPECT_DOUBLE_EQ(bisection("mc_dla_ring:8x3@25GB/s"), 2 * 3 * 25e9);
  // Two boards, 6 switches each with 8 links across.
  EXPECT_DOUBLE_EQ(bisection("dgx2"), 6 * 8 * 25e9);
}

TEST(Bisection, OfAnOversubscribedTreeIsLimitedByUplinks) {
  const Platform tree =
      from_yaml("{topology: fat_tree, dims: [2, 4], bandwidth: 1 GB/s, oversubscription: 2}");

  // A leaf has 2 GB/s down and 1 GB/s up: two leaves against two.
  EXPECT_DOUBLE_EQ(bisection_or_none(facts_of(tree)).bandwidth.si(), 2 * 1e9);
}

TEST(Bisection, OfLargeGridsIsTheCutAcrossTheLongestDimension) {
  // 16 x 4 devices: 4 rings cut, two cables each.
  EXPECT_DOUBLE_EQ(bisection("torus:16x4@1GB/s"), 2 * 4 * 1e9);
  EXPECT_DOUBLE_EQ(bisection("mesh:16x4@1GB/s"), 4 * 1e9);
  EXPECT_DOUBLE_EQ(bisection("fat_tree:16x16@1GB/s"), 128 * 1e9);
  EXPECT_THAT(bisection_or_none(facts("torus:16x4@1GB/s")).method, HasSubstr("dimension"));
}

TEST(Bisection, IsTheSlowerDirection) {
  const Facts lopsided = facts_of(
      from_yaml("topology: graph\nnodes: [{name: d, count: 2}]\n"
                "links: [{from: d0, to: d1, bandwidth: 4 GB/s, bandwidth_back: 1 GB/s}]\n"));

  EXPECT_DOUBLE_EQ(bisection_or_none(lopsided).bandwidth.si(), 1e9);
}

TEST(Bisection, OfOneDeviceIsAbsent) {
  EXPECT_FALSE(facts("ring:1@1GB/s").bisection.has_value());
}

TEST(Dot, DistinguishesNodeKindsAndCountsParallelCables) {
  const std::string dot = to_dot(read_platform("mc_dla_ring:2x3@25GB/s", {}));

  EXPECT_THAT(dot, HasSubstr("graph \"mc_dla_ring:2x3@25GB/s\" {"));
  EXPECT_THAT(dot, HasSubstr("label=\"device 1\", shape=box"));
  EXPECT_THAT(dot, HasSubstr("label=\"memory-node 0\", shape=cylinder"));
  EXPECT_THAT(dot, HasSubstr("n0 -- n2 [label=\"3 x 25 GB/s\"];"));
}

}  // namespace
}  // namespace cairn::platform
