#include "cairn/platform/merge_switches.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/platform/route.hpp"

namespace cairn::platform {
namespace {

Platform in_yaml(const std::string& text) {
  return read_platform(parse_config(text, "test"), {});
}

// By link of the original: the fraction of a message that crosses it.
std::vector<double> shares(const Platform& platform, std::uint32_t from, std::uint32_t to) {
  Router router(platform);
  std::vector<double> share(platform.graph.links().size(), 0.0);
  const auto devices = platform.graph.devices();
  for (const Hop& hop : router.route(devices[from], devices[to]).hops) {
    share[hop.link.index()] += hop.share;
  }
  return share;
}

TEST(MergeSwitches, OneSpineRepresentsAllOfATwoLevelTree) {
  const auto merged = merge_switches(read_platform("fat_tree:16x16@25GB/s,500ns", {}));

  ASSERT_TRUE(merged.has_value());
  const Graph& graph = merged->platform.graph;
  EXPECT_EQ(graph.nodes().size(), 256U + 16U + 1U);
  EXPECT_EQ(graph.nodes().back().members, 16U);
  EXPECT_EQ(graph.links().size(), 2U * (256U + 16U));
  EXPECT_EQ(graph.links().back().members, 16U);
}

TEST(MergeSwitches, ALevelMergesBelowOneThatDoes) {
  const auto merged =
      merge_switches(in_yaml("{topology: fat_tree, dims: [4, 4, 4], bandwidth: 25 GB/s}"));

  ASSERT_TRUE(merged.has_value());
  // 16 leaves, a level-1 switch for each group of 4, one at the top.
  EXPECT_EQ(merged->platform.graph.nodes().size(), 64U + 16U + 4U + 1U);
  EXPECT_EQ(merged->platform.graph.nodes().back().members, 16U);
}

TEST(MergeSwitches, RailsStayApart) {
  const auto merged =
      merge_switches(in_yaml("{topology: islands, island: \"switch:8@300GB/s,500ns\", between: "
                             "\"fat_tree:4x4@25GB/s,500ns\"}"));

  ASSERT_TRUE(merged.has_value());
  // An NVSwitch per island; per rail: 4 leaves and a spine.
  EXPECT_EQ(merged->platform.graph.nodes().size(), 128U + 16U + 8U * (4U + 1U));
}

TEST(MergeSwitches, ClassesKeepTheirCounts) {
  const Platform platform = read_platform("fat_tree:8x8@25GB/s,500ns", {});
  const auto merged = merge_switches(platform);

  ASSERT_TRUE(merged.has_value());
  EXPECT_EQ(
      std::vector(merged->platform.graph.link_classes().begin(),
                  merged->platform.graph.link_classes().end()),
      std::vector(platform.graph.link_classes().begin(), platform.graph.link_classes().end()));
}

TEST(MergeSwitches, NothingMergesWhereSingleLinksMatter) {
  EXPECT_FALSE(merge_switches(read_platform("torus:4x4@25GB/s,500ns", {})).has_value());
  EXPECT_FALSE(merge_switches(read_platform("switch:8@25GB/s,500ns", {})).has_value());
  EXPECT_FALSE(merge_switches(in_yaml("{topology: dc_dla}")).has_value());
}

// Two levels of switches with random cables between them, and devices at the lower level.
Platform random_tree() {
  Platform platform;
  platform.routing = Routing::kMultipath;
  Graph& graph = platform.graph;
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  const auto hub = graph.add_node_class({.kind = NodeKind::kSwitch, .name = "switch"});
  std::vector<Id<LinkClass>> classes;
  for (std::uint32_t c = 0; c < 2; ++c) {
    classes.push_back(graph.add_link_class(
        {.name = "link", .bandwidth = BytesPerSecond(1e9 * (c + 1)), .latency = Seconds(1e-6)}));
  }
  const auto leaves = *rc::gen::inRange<std::size_t>(1, 5);
  const auto spines = *rc::gen::inRange<std::size_t>(2, 7);
  const auto per_leaf = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<Id<Node>> leaf;
  for (std::size_t l = 0; l < leaves; ++l) {
    leaf.push_back(graph.add_node(hub));
    for (std::size_t d = 0; d < per_leaf; ++d) {
      graph.add_cable(graph.add_node(device), leaf.back(), classes[0]);
    }
  }
  for (std::size_t s = 0; s < spines; ++s) {
    const Id<Node> spine = graph.add_node(hub);
    for (std::size_t l = 0; l < leaves; ++l) {
      const auto cables = *rc::gen::weightedElement<int>({{1, 0}, {12, 1}, {1, 2}});
      for (int c = 0; c < (s == 0 ? 1 : cables); ++c) {
        graph.add_cable(
            leaf[l], spine, classes[*rc::gen::weightedElement<std::size_t>({{30, 0}, {1, 1}})]);
      }
    }
  }
  graph.index_links();
  platform.dims = {platform.device_count()};
  return platform;
}

TEST(MergeSwitches, RoutesLoadEveryLinkAsBefore) {
  EXPECT_TRUE(rc::check("merged routes", [] {
    const Platform platform = random_tree();
    const auto merged = merge_switches(platform);
    RC_PRE(merged.has_value());
    const auto from = *rc::gen::inRange<std::uint32_t>(0, platform.device_count());
    const auto to = *rc::gen::inRange<std::uint32_t>(0, platform.device_count());
    const std::vector<double> before = shares(platform, from, to);
    const std::vector<double> after = shares(merged->platform, from, to);

    std::vector<std::uint32_t> members(after.size(), 0);
    for (std::size_t l = 0; l < before.size(); ++l) {
      RC_ASSERT(std::abs(before[l] - after[merged->link_of[l].index()]) < 1e-12);
      ++members[merged->link_of[l].index()];
    }
    for (std::size_t l = 0; l < members.size(); ++l) {
      RC_ASSERT(members[l] == merged->platform.graph.links()[l].members);
    }
  }));
}

}  // namespace
}  // namespace cairn::platform
