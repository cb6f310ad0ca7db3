#include "cairn/platform/backing_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cairn/platform/topology/dgx1.hpp"
#include "cairn/platform/topology/grid.hpp"
#include "cairn/platform/topology/mc_dla.hpp"
#include "cairn/platform/topology/mc_dla_plane.hpp"

namespace cairn::platform {
namespace {

// Maximum bandwidth to the store, if each part gets its share of the bytes.
BytesPerSecond bandwidth_to(const Platform& platform, const std::vector<StorePart>& store) {
  BytesPerSecond least = BytesPerSecond::infinity();
  for (const StorePart& part : store) {
    for (const Hop& hop : part.out.hops) {
      least =
          std::min(least, platform.graph.class_of(hop.link).bandwidth / (part.share * hop.share));
    }
  }
  return least;
}

TEST(BackingStore, OnARingIsOneMemoryNodeOrBoth) {
  const Platform ring = topology::make_mc_dla_ring({});
  for (std::uint32_t device = 0; device < 8; ++device) {
    const auto local = backing_store(ring, device, PagePlacement::kLocal);
    const auto both = backing_store(ring, device, PagePlacement::kBandwidthAware);

    ASSERT_EQ(local.size(), 1U);
    ASSERT_EQ(both.size(), 2U);
    EXPECT_DOUBLE_EQ(bandwidth_to(ring, local).si(), 75e9);
    EXPECT_DOUBLE_EQ(bandwidth_to(ring, both).si(), 150e9);
    EXPECT_DOUBLE_EQ(both[0].share + both[1].share, 1.0);
    EXPECT_DOUBLE_EQ(both[0].bandwidth.si(), 128e9);
  }
}

TEST(BackingStore, LocalPlacementGivesEachDeviceItsOwnMemoryNode) {
  const Platform ring = topology::make_mc_dla_ring({});
  std::set<Id<Node>> nodes;
  for (std::uint32_t device = 0; device < 8; ++device) {
    nodes.insert(backing_store(ring, device, PagePlacement::kLocal).front().node);
  }

  EXPECT_EQ(nodes.size(), 8U);
}

TEST(BackingStore, OnAStarIsReachedOverTwoLinks) {
  for (const Platform& star :
       {topology::make_mc_dla_star_a({}), topology::make_mc_dla_star_b({})}) {
    for (std::uint32_t device = 0; device < 8; ++device) {
      EXPECT_DOUBLE_EQ(
          bandwidth_to(star, backing_store(star, device, PagePlacement::kBandwidthAware)).si(),
          50e9);
    }
  }
}

TEST(BackingStore, OnARingGroupsAreNotShared) {
  const Platform ring = topology::make_mc_dla_ring({});
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> users;
  for (std::uint32_t device = 0; device < 8; ++device) {
    for (const StorePart& part : backing_store(ring, device, PagePlacement::kBandwidthAware)) {
      ++users[{part.node.value, part.group}];
    }
  }

  EXPECT_EQ(users.size(), 16U);
  for (const auto& [group, count] : users) {
    EXPECT_EQ(count, 1);
  }
}

// The device's own three links of 25 GB/s limit the total, whichever memory-nodes it sends to.
TEST(BackingStore, OnAPlaneIsBehindTheSwitchesOfTheSystemNode) {
  const Platform plane = topology::make_mc_dla_plane({.system_nodes = 3, .latency = Seconds(1e-6)});
  std::set<Id<Node>> local_nodes;
  for (std::uint32_t device = 0; device < 12; ++device) {
    const auto local = backing_store(plane, device, PagePlacement::kLocal);
    const auto all = backing_store(plane, device, PagePlacement::kBandwidthAware);

    ASSERT_EQ(local.size(), 1U);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_DOUBLE_EQ(bandwidth_to(plane, local).si(), 75e9);
    local_nodes.insert(local.front().node);
    std::map<Id<Link>, double> sent;
    for (const StorePart& part : all) {
      EXPECT_EQ(plane.graph.node(part.node).ordinal / 4, device / 4);  // of the same system node
      EXPECT_DOUBLE_EQ(part.share, 0.25);
      EXPECT_DOUBLE_EQ(part.out.latency.si(), 2e-6);
      EXPECT_EQ(part.out.hops.size(), 6U);
      for (const Hop& hop : part.out.hops) {
        sent[hop.link] += part.share * hop.share;
      }
    }
    for (const Id<Link> link : plane.graph.links_out(plane.graph.devices()[device])) {
      EXPECT_DOUBLE_EQ(sent[link], 1.0 / 3.0);
    }
  }
  EXPECT_EQ(local_nodes.size(), 12U);
}

TEST(BackingStore, WithoutMemoryNodesIsTheNearestSocket) {
  const Platform host = topology::make_cube_mesh({.host = true});
  const auto first = backing_store(host, 0, PagePlacement::kBandwidthAware);
  const auto last = backing_store(host, 7, PagePlacement::kBandwidthAware);

  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(host.graph.class_of(first[0].node).kind, NodeKind::kHostSocket);
  EXPECT_NE(first[0].node, last[0].node);
  EXPECT_EQ(first[0].out.hops.size(), 2U);  // PCIe switch, socket
}

TEST(BackingStore, InHcDlaIsReachedOverAllHostLinks) {
  const Platform host = topology::make_hc_dla({});
  EXPECT_DOUBLE_EQ(bandwidth_to(host, backing_store(host, 3, PagePlacement::kBandwidthAware)).si(),
                   75e9);
}

TEST(BackingStore, IsEmptyWithoutMemoryNodesAndHost) {
  EXPECT_TRUE(backing_store(topology::make_ring({.devices = 4, .bandwidth = BytesPerSecond(25e9)}),
                            0,
                            PagePlacement::kLocal)
                  .empty());
}

}  // namespace
}  // namespace cairn::platform
