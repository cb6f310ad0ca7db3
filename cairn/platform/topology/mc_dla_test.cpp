#include "cairn/platform/topology/mc_dla.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cairn/platform/facts.hpp"
#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/route.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform::topology {
namespace {

using testing::ElementsAre;

constexpr double kLink = 25e9;

TEST(McDla, RingsIdleLinksAndMemoryBandwidthAreThoseOfFigure7) {
  const Facts a = facts_of(make_mc_dla_star_a({}));
  const Facts b = facts_of(make_mc_dla_star_b({}));
  const Facts c = facts_of(make_mc_dla_ring({}));

  EXPECT_THAT(a.ring_hops, ElementsAre(8, 8, 24));
  EXPECT_THAT(b.ring_hops, ElementsAre(8, 12, 20));
  EXPECT_THAT(c.ring_hops, ElementsAre(16, 16, 16));
  EXPECT_EQ(a.idle_links, 8U);
  EXPECT_EQ(b.idle_links, 8U);
  EXPECT_EQ(c.idle_links, 0U);
  EXPECT_EQ(a.device_to_memory, BytesPerSecond(2 * kLink));
  EXPECT_EQ(b.device_to_memory, BytesPerSecond(2 * kLink));
  EXPECT_EQ(c.device_to_memory, BytesPerSecond(6 * kLink));
}

TEST(McDla, EveryNodeHasSixLinksAndEveryRingIsValid) {
  for (const Platform& platform :
       {make_mc_dla_star_a({}), make_mc_dla_star_b({}), make_mc_dla_ring({})}) {
    EXPECT_EQ(platform.graph.links().size() / 2, 16U * 6U / 2U);
    for (std::size_t n = 0; n < platform.graph.nodes().size(); ++n) {
      EXPECT_EQ(platform.graph.links_out(Id<Node>(n)).size(), 6U);
    }
    EXPECT_EQ(fault_of_rings(platform).value_or(""), "");
  }
}

TEST(McDla, TheLongRingOf7aPassesEachMemoryNodeTwice) {
  const Platform star = make_mc_dla_star_a({});
  std::vector<int> visits(star.graph.nodes().size(), 0);

  for (const Id<Link> link : star.rings[2].links) {
    ++visits[star.graph.link(link).from.index()];
  }

  for (std::size_t n = 0; n < visits.size(); ++n) {
    const bool memory = star.graph.class_of(Id<Node>(n)).kind == NodeKind::kMemoryNode;
    EXPECT_EQ(visits[n], memory ? 2 : 1);
  }
}

TEST(McDla, AHopOverAMemoryNodeStoresAndForwards) {
  const Platform ring =
      make_mc_dla_ring({.latency = Seconds(1e-6), .store_and_forward = Bytes(4096)});
  const Route step = along(ring, std::span(ring.rings[0].links).first(2));

  EXPECT_DOUBLE_EQ(step.latency_for(Bytes(1e6)).si(), 2 * 1e-6 + 4096 / kLink);
}

TEST(McDla, AMessageToTheNextDeviceIsSplitOverTheRings) {
  const Platform ring = make_mc_dla_ring({});
  Router router(ring);

  const Route step = router.ring_step(0, 0, true);

  ASSERT_EQ(step.hops.size(), 2U * 3U);
  EXPECT_DOUBLE_EQ(step.hops[0].share, 1.0 / 3.0);
}

TEST(HcDla, HasThreeRingsAtHalfBandwidthAndThreeLinksToTheSocket) {
  const Platform host = read_platform("hc-dla", data_of_source_tree());

  EXPECT_EQ(host.rings.size(), 3U);
  EXPECT_DOUBLE_EQ(host.graph.class_of(host.rings[0].links[0]).bandwidth.si(), kLink / 2.0);
  EXPECT_EQ(host.graph.links().size() / 2, 24U + 8U * 3U);
  // Devices talk to each other over their own links even where the socket is fewer hops away.
  Router router(host);
  for (const Id<Node> from : host.graph.devices()) {
    for (const Id<Node> to : host.graph.devices()) {
      for (const Hop& hop : router.route(from, to).hops) {
        EXPECT_EQ(host.graph.class_of(hop.link).name, "half link");
      }
    }
  }
}

TEST(HcDla, HostLinksReduceRingBandwidth) {
  for (const int host_links : {1, 2, 3, 4, 5}) {
    const Platform host =
        from_yaml("{topology: hc_dla, host_links: " + std::to_string(host_links) + "}");

    EXPECT_DOUBLE_EQ(host.graph.class_of(host.rings[0].links[0]).bandwidth.si(),
                     kLink * (6 - host_links) / 6.0);
    EXPECT_EQ(host.graph.links().size() / 2, 24U + 8U * static_cast<std::size_t>(host_links));
  }
}

TEST(HcDla, OneRingOptionHasOneRingAndAMatching) {
  const Platform host = from_yaml("{topology: hc_dla, rings: one_ring}");

  EXPECT_EQ(host.rings.size(), 1U);
  // 8 in the ring, 4 in the matching, 3 per device to the sockets: six links per device.
  EXPECT_EQ(host.graph.links().size() / 2, 8U + 4U + 24U);
  for (const Id<Node> device : host.graph.devices()) {
    EXPECT_EQ(host.graph.links_out(device).size(), 6U);
  }
}

}  // namespace
}  // namespace cairn::platform::topology
