#include "cairn/platform/topology/mc_dla_plane.hpp"

#include <gtest/gtest.h>

#include "cairn/platform/route.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform::topology {
namespace {

// Fig. 15: 8 nodes, N = 3.
TEST(McDlaPlane, ASystemNodeHasEightNodesOfThreeLinksEach) {
  const Platform plane = make_mc_dla_plane({});

  EXPECT_EQ(plane.device_count(), 4U);
  EXPECT_EQ(plane.graph.nodes().size(), 8U + 3U);
  for (std::size_t n = 0; n < plane.graph.nodes().size(); ++n) {
    const bool hub = plane.graph.class_of(Id<Node>(n)).kind == NodeKind::kSwitch;
    EXPECT_EQ(plane.graph.links_out(Id<Node>(n)).size(), hub ? 8U : 3U);
  }
}

TEST(McDlaPlane, LatencyCountsLinksTrunksAndSwitchesOnTheWay) {
  const Seconds link(1e-6);
  const Seconds hub(1e-7);
  const Seconds trunk(5e-6);
  const Platform plane = make_mc_dla_plane(
      {.system_nodes = 2, .latency = link, .switch_latency = hub, .trunk_latency = trunk});
  Router router(plane);
  const auto devices = plane.graph.devices();

  EXPECT_DOUBLE_EQ(router.route(devices[0], devices[3]).latency.si(), (2.0 * link + hub).si());
  EXPECT_DOUBLE_EQ(router.route(devices[0], devices[4]).latency.si(),
                   (2.0 * link + 2.0 * trunk + 3.0 * hub).si());
}

// As DGX-2's switches: by default, not oversubscribed.
TEST(McDlaPlane, DefaultTrunksAreNotOversubscribed) {
  const auto trunk_of = [](const Platform& plane) {
    return plane.graph.link_classes().back().bandwidth;
  };

  EXPECT_EQ(trunk_of(make_mc_dla_plane({.system_nodes = 2})), BytesPerSecond(8 * 25e9));
  EXPECT_EQ(trunk_of(make_mc_dla_plane({.system_nodes = 2, .trunks = 1})), BytesPerSecond(25e9));
}

TEST(McDlaPlane, DirectMemoryLinksReduceSwitchLinks) {
  const Platform plane = make_mc_dla_plane({.system_nodes = 2, .memory_links = 1});

  for (const Id<Node> device : plane.graph.devices()) {
    EXPECT_EQ(plane.graph.links_out(device).size(), 3U);
  }
  // Two switches in each system node, and two that connect them.
  EXPECT_EQ(plane.graph.nodes().size(), 2U * (8U + 2U) + 2U);
}

TEST(McDlaPlane, EveryDeviceNeedsALinkToASwitch) {
  EXPECT_NE(complaint([] {
              from_yaml("{topology: mc_dla_plane, links: 2, memory_links: 2}");
            }).find("memory_links: leaves no link to a switch"),
            std::string::npos);
}

}  // namespace
}  // namespace cairn::platform::topology
