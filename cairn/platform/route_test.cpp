#include "cairn/platform/route.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform {
namespace {

Route between(const Platform& platform, std::uint32_t from, std::uint32_t to) {
  Router router(platform);
  return router.route(platform.graph.devices()[from], platform.graph.devices()[to]);
}

std::vector<std::string> classes_of(const Platform& platform, const Route& route) {
  std::vector<std::string> names;
  names.reserve(route.hops.size());
  for (const Hop& hop : route.hops) {
    names.push_back(platform.graph.class_of(hop.link).name);
  }
  return names;
}

TEST(DimensionOrderedRoute, CorrectsTheFirstCoordinateFirstAndGoesTheShorterWay) {
  const Platform torus = read_platform("torus:5x5@1GB/s,1us", {});

  const Route route = between(torus, 0, 4 + 5 * 2);  // (0,0) -> (4,2)

  EXPECT_EQ(classes_of(torus, route), (std::vector<std::string>{"x-", "y+", "y+"}));
  EXPECT_DOUBLE_EQ(route.latency.si(), 3e-6);
}

TEST(DimensionOrderedRoute, ATieGoesUp) {
  const Platform ring = read_platform("ring:4@1GB/s", {});

  EXPECT_EQ(classes_of(ring, between(ring, 3, 1)), (std::vector<std::string>{"x+", "x+"}));
}

TEST(DimensionOrderedRoute, AMeshDoesNotWrap) {
  const Platform mesh = read_platform("mesh:5@1GB/s", {});

  EXPECT_EQ(between(mesh, 0, 4).hops.size(), 4U);
  EXPECT_EQ(classes_of(mesh, between(mesh, 1, 0)), (std::vector<std::string>{"x-"}));
}

TEST(ShortestRoute, OfEqualPathsTheLowestLinkWins) {
  const Platform square = from_yaml(
      "topology: graph\nnodes: [{name: d, count: 4}]\n"
      "links: [{from: d, join: ring, bandwidth: 1 GB/s}]\n");

  const Route route = between(square, 0, 2);

  ASSERT_EQ(route.hops.size(), 2U);
  EXPECT_EQ(square.graph.link(route.hops[0].link).to, square.graph.devices()[1]);
}

TEST(ShortestRoute, BetweenNeighboursNeedsNoSearch) {
  // Searching four million links per destination, or scanning a device's links per ring step, would
  // take half a minute.
  const Platform platform = read_platform("fully_connected:2049@1GB/s", {});
  EXPECT_EQ(platform.rings.size(), 1024U);
  Router router(platform);
  const auto devices = platform.graph.devices();
  for (std::uint32_t rank = 1; rank < devices.size(); ++rank) {
    const Route route = router.route(devices[0], devices[rank]);
    ASSERT_EQ(route.hops.size(), 1U);
    ASSERT_EQ(platform.graph.link(route.hops[0].link).to, devices[rank]);
  }
}

TEST(MultipathRoute, SplitsEvenlyOverPlanes) {
  const Platform planes = read_platform("switch:4x3@1GB/s,1us", {});

  const Route route = between(planes, 0, 2);

  ASSERT_EQ(route.hops.size(), 6U);
  for (const Hop& hop : route.hops) {
    EXPECT_DOUBLE_EQ(hop.share, 1.0 / 3.0);
  }
  EXPECT_DOUBLE_EQ(route.latency.si(), 2e-6);
}

TEST(MultipathRoute, LatencyIsThatOfTheSlowestPath) {
  const Platform diamond = from_yaml(
      "topology: graph\nrouting: multipath\n"
      "nodes: [{name: d, count: 2}, {name: s, kind: switch, count: 2}]\n"
      "links:\n"
      "- {from: d, to: s0, bandwidth: 1 GB/s, latency: 1 us}\n"
      "- {from: d, to: s1, bandwidth: 1 GB/s, latency: 3 us}\n");

  EXPECT_DOUBLE_EQ(between(diamond, 0, 1).latency.si(), 2 * 3e-6);
}

TEST(RouteLatency, StoreAndForwardAddsTheTimeToSendTheBuffer) {
  const Platform line = from_yaml(
      "topology: graph\n"
      "nodes: [{name: d, count: 2}, {name: m, kind: memory_node, store_and_forward: 4 KiB}]\n"
      "links:\n"
      "- {from: d0, to: m, bandwidth: 100 GB/s, latency: 1 us}\n"
      "- {from: m, to: d1, bandwidth: 25 GB/s, latency: 1 us}\n");
  const Route route = between(line, 0, 1);

  EXPECT_DOUBLE_EQ(route.latency.si(), 2e-6);
  EXPECT_DOUBLE_EQ(route.latency_for(Bytes(1e6)).si(), 2e-6 + 4096 / 25e9);
  EXPECT_DOUBLE_EQ(route.latency_for(Bytes(100)).si(), 2e-6 + 100 / 25e9);
}

TEST(RingStep, UpAndDownUseDifferentCablesInADimensionOfTwo) {
  for (const char* text : {"torus:3x2@1GB/s", "ring:2@1GB/s", "rings:2x3@1GB/s"}) {
    const Platform platform = read_platform(text, {});
    const std::size_t dim = platform.dims.size() - 1;
    Router router(platform);

    std::map<Id<Link>, int> used;
    for (std::uint32_t rank = 0; rank < platform.device_count(); ++rank) {
      for (const bool up : {true, false}) {
        for (const Hop& hop : router.ring_step(rank, dim, up).hops) {
          ++used[hop.link];
        }
      }
    }

    for (const auto& [link, times] : used) {
      EXPECT_EQ(times, 1) << text;
    }
  }
}

TEST(RingStep, GoesThroughTheSwitchWhereThereIsNoDirectCable) {
  const Platform star = read_platform("switch:4@1GB/s,1us", {});
  Router router(star);

  EXPECT_EQ(router.ring_step(3, 0, true).hops.size(), 2U);
  EXPECT_EQ(star.graph.link(router.ring_step(3, 0, true).hops.back().link).to,
            star.graph.devices()[0]);
}

TEST(RingStep, IsSplitEvenlyOverParallelCables) {
  const Platform rings = read_platform("rings:4x3@1GB/s", {});
  Router router(rings);

  const Route step = router.ring_step(1, 0, true);

  ASSERT_EQ(step.hops.size(), 3U);
  EXPECT_DOUBLE_EQ(step.hops[0].share, 1.0 / 3.0);
}

TEST(RingStep, OfASingleDeviceHasNoHops) {
  const Platform alone = read_platform("ring:1@1GB/s", {});
  Router router(alone);

  EXPECT_TRUE(router.ring_step(0, 0, true).hops.empty());
}

TEST(MultipathRoute, AllPairsOfA256DeviceFatTreeUseAllSpines) {
  const Platform tree = read_platform("fat_tree:16x16@25GB/s,500ns", {});
  Router router(tree);

  std::size_t hops = 0;
  for (const Id<Node> from : tree.graph.devices()) {
    for (const Id<Node> to : tree.graph.devices()) {
      hops += router.route(from, to).hops.size();
    }
  }

  // Same leaf: up, down. Else up, 16 ways up, 16 down, down.
  EXPECT_EQ(hops, 256U * (15U * 2U + 240U * (1U + 16U + 16U + 1U)));
}

// A connected random graph of devices, switches and memory-nodes, drawn by RapidCheck.
Platform random_graph(Routing routing) {
  Platform platform;
  platform.routing = routing;
  Graph& graph = platform.graph;
  const std::array kinds{NodeKind::kDevice, NodeKind::kSwitch, NodeKind::kMemoryNode};
  std::vector<Id<NodeClass>> node_classes;
  node_classes.reserve(kinds.size());
  for (const NodeKind kind : kinds) {
    node_classes.push_back(graph.add_node_class({.kind = kind, .name = "n"}));
  }
  std::vector<Id<LinkClass>> link_classes;
  for (std::uint32_t cost = 1; cost <= 3; ++cost) {
    link_classes.push_back(graph.add_link_class(
        {.name = "l", .bandwidth = BytesPerSecond(1e9), .latency = Seconds(1e-6), .cost = cost}));
  }
  const auto count = *rc::gen::inRange<std::size_t>(2, 14);
  for (std::size_t n = 0; n < count; ++n) {
    graph.add_node(node_classes[n < 2 ? 0 : *rc::gen::inRange<std::size_t>(0, 3)]);
  }
  const auto cable = [&](std::size_t a, std::size_t b) {
    graph.add_cable(Id<Node>(a), Id<Node>(b), link_classes[*rc::gen::inRange<std::size_t>(0, 3)]);
  };
  for (std::size_t n = 1; n < count; ++n) {
    cable(*rc::gen::inRange<std::size_t>(0, n), n);
  }
  for (auto more = *rc::gen::inRange(0, 20); more > 0; --more) {
    const auto a = *rc::gen::inRange<std::size_t>(0, count);
    const auto b = *rc::gen::inRange<std::size_t>(0, count - 1);
    cable(a, b < a ? b : b + 1);
  }
  graph.index_links();
  platform.dims = {platform.device_count()};
  return platform;
}

// Bellman-Ford, as a simple reference.
std::vector<std::uint32_t> costs_to(const Graph& graph, Id<Node> to) {
  std::vector<std::uint32_t> cost(graph.nodes().size(), 1'000'000);
  cost[to.index()] = 0;
  for (std::size_t round = 0; round < graph.nodes().size(); ++round) {
    for (std::size_t l = 0; l < graph.links().size(); ++l) {
      const Link& link = graph.links()[l];
      cost[link.from.index()] = std::min(cost[link.from.index()],
                                         cost[link.to.index()] + graph.class_of(Id<Link>(l)).cost);
    }
  }
  return cost;
}

TEST(RouteProperties, AShortestRouteIsAWalkOfLeastCost) {
  EXPECT_TRUE(rc::check("shortest route", [] {
    const Platform platform = random_graph(Routing::kShortest);
    const Graph& graph = platform.graph;
    Router router(platform);
    const Id<Node> from(*rc::gen::inRange<std::size_t>(0, graph.nodes().size()));
    const Id<Node> to(*rc::gen::inRange<std::size_t>(0, graph.nodes().size()));

    std::uint32_t cost = 0;
    Id<Node> at = from;
    for (const Hop& hop : router.route(from, to).hops) {
      RC_ASSERT(graph.link(hop.link).from == at);
      RC_ASSERT(hop.share == 1.0);
      at = graph.link(hop.link).to;
      cost += graph.class_of(hop.link).cost;
    }

    RC_ASSERT(at == to);
    RC_ASSERT(cost == costs_to(graph, to)[from.index()]);
  }));
}

TEST(RouteProperties, MultipathSharesConserveFlowAndStayOnShortestPaths) {
  EXPECT_TRUE(rc::check("multipath route", [] {
    const Platform platform = random_graph(Routing::kMultipath);
    const Graph& graph = platform.graph;
    Router router(platform);
    const Id<Node> from(*rc::gen::inRange<std::size_t>(0, graph.nodes().size()));
    const auto other = *rc::gen::inRange<std::size_t>(0, graph.nodes().size() - 1);
    const Id<Node> to(other < from.index() ? other : other + 1);
    const auto cost = costs_to(graph, to);

    std::vector<double> balance(graph.nodes().size(), 0.0);
    for (const Hop& hop : router.route(from, to).hops) {
      const Link& link = graph.link(hop.link);
      RC_ASSERT(hop.share > 0.0);
      RC_ASSERT(cost[link.from.index()] == cost[link.to.index()] + graph.class_of(hop.link).cost);
      balance[link.from.index()] -= hop.share;
      balance[link.to.index()] += hop.share;
    }

    for (std::size_t n = 0; n < balance.size(); ++n) {
      const double expected = Id<Node>(n) == from ? -1.0 : Id<Node>(n) == to ? 1.0 : 0.0;
      RC_ASSERT(std::abs(balance[n] - expected) < 1e-12);
    }
  }));
}

TEST(RouteProperties, DimensionOrderedHopsAreTheLeeDistance) {
  EXPECT_TRUE(rc::check("torus route", [] {
    const auto dims =
        *rc::gen::container<std::vector<std::uint64_t>>(3, rc::gen::inRange<std::uint64_t>(1, 6));
    const Platform torus = topologies()[2].make(
        parse_config("{dims: [" + std::to_string(dims[0]) + ", " + std::to_string(dims[1]) + ", " +
                         std::to_string(dims[2]) + "], bandwidth: 1 GB/s}",
                     "test"),
        {});
    const auto from = *rc::gen::inRange<std::uint32_t>(0, torus.device_count());
    const auto to = *rc::gen::inRange<std::uint32_t>(0, torus.device_count());

    // Lee distance: sum over dimensions of min(|a - b|, k - |a - b|).
    std::size_t distance = 0;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      const auto a = place_in(torus.dims, from, dim).coordinate;
      const auto b = place_in(torus.dims, to, dim).coordinate;
      const auto apart = a > b ? a - b : b - a;
      distance += std::min(apart, torus.dims[dim] - apart);
    }

    const Route route = between(torus, from, to);
    RC_ASSERT(route.hops.size() == distance);
    Id<Node> at = torus.graph.devices()[from];
    for (const Hop& hop : route.hops) {
      RC_ASSERT(torus.graph.link(hop.link).from == at);
      at = torus.graph.link(hop.link).to;
    }
    RC_ASSERT(at == torus.graph.devices()[to]);
  }));
}

}  // namespace
}  // namespace cairn::platform
