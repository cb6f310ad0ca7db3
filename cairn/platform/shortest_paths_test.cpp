#include "cairn/platform/shortest_paths.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cairn/platform/parse.hpp"

namespace cairn::platform {
namespace {

TEST(ShortestPaths, AllSpinesLeadNearer) {
  const Platform tree = read_platform("fat_tree:4x4@1GB/s", {});
  const Graph& graph = tree.graph;
  ShortestPaths paths(graph);

  paths.find(graph.devices()[0], graph.devices()[15]);

  EXPECT_EQ(paths.distance(graph.devices()[0]), 4U);
  const Id<Node> leaf = graph.link(graph.links_out(graph.devices()[0]).front()).to;
  EXPECT_EQ(paths.distance(leaf), 3U);
  EXPECT_EQ(std::ranges::count_if(graph.links_out(leaf),
                                  [&](Id<Link> link) { return paths.leads_nearer(link); }),
            4);
}

// A connected graph with random costs in each direction.
Graph random_graph() {
  Graph graph;
  const auto nodes = graph.add_node_class({.kind = NodeKind::kDevice, .name = "n"});
  std::vector<Id<LinkClass>> classes;
  for (std::uint32_t cost = 1; cost <= 4; ++cost) {
    classes.push_back(graph.add_link_class(
        {.name = "l", .bandwidth = BytesPerSecond(1e9), .latency = {}, .cost = cost}));
  }
  const auto any_class = [&] { return classes[*rc::gen::inRange<std::size_t>(0, 4)]; };
  const auto count = *rc::gen::inRange<std::size_t>(2, 20);
  for (std::size_t n = 0; n < count; ++n) {
    graph.add_node(nodes);
  }
  for (std::size_t n = 1; n < count; ++n) {
    graph.add_cable(
        Id<Node>(*rc::gen::inRange<std::size_t>(0, n)), Id<Node>(n), any_class(), any_class());
  }
  for (auto more = *rc::gen::inRange(0, 30); more > 0; --more) {
    const auto a = *rc::gen::inRange<std::size_t>(0, count);
    const auto b = *rc::gen::inRange<std::size_t>(0, count - 1);
    graph.add_cable(Id<Node>(a), Id<Node>(b < a ? b : b + 1), any_class(), any_class());
  }
  graph.index_links();
  return graph;
}

// Floyd and Warshall, as a simple reference: [from][to].
std::vector<std::vector<std::uint64_t>> all_distances(const Graph& graph) {
  const std::size_t nodes = graph.nodes().size();
  std::vector distance(nodes, std::vector<std::uint64_t>(nodes, 1'000'000));
  for (std::size_t n = 0; n < nodes; ++n) {
    distance[n][n] = 0;
  }
  for (std::size_t l = 0; l < graph.links().size(); ++l) {
    const Link& link = graph.links()[l];
    auto& between = distance[link.from.index()][link.to.index()];
    between = std::min<std::uint64_t>(between, graph.class_of(Id<Link>(l)).cost);
  }
  for (std::size_t via = 0; via < nodes; ++via) {
    for (std::size_t a = 0; a < nodes; ++a) {
      for (std::size_t b = 0; b < nodes; ++b) {
        distance[a][b] = std::min(distance[a][b], distance[a][via] + distance[via][b]);
      }
    }
  }
  return distance;
}

TEST(ShortestPaths, FindsExactlyTheLinksOnShortestPaths) {
  EXPECT_TRUE(rc::check("links on shortest paths", [] {
    const Graph graph = random_graph();
    const auto distance = all_distances(graph);
    ShortestPaths paths(graph);
    for (int search = 0; search < 3; ++search) {  // one after the other, with the same object
      const auto from = *rc::gen::inRange<std::size_t>(0, graph.nodes().size());
      const auto to = *rc::gen::inRange<std::size_t>(0, graph.nodes().size());
      paths.find(Id<Node>(from), Id<Node>(to));
      for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
        if (distance[from][n] + distance[n][to] != distance[from][to]) {
          continue;  // not on a shortest path
        }
        RC_ASSERT(paths.distance(Id<Node>(n)) == distance[n][to]);
        for (const Id<Link> link : graph.links_out(Id<Node>(n))) {
          const bool nearer =
              graph.class_of(link).cost + distance[graph.link(link).to.index()][to] ==
              distance[n][to];
          RC_ASSERT(paths.leads_nearer(link) == nearer);
        }
      }
    }
  }));
}

}  // namespace
}  // namespace cairn::platform
