#include "cairn/platform/graph.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::platform {
namespace {

Graph two_devices_and_a_switch() {
  Graph graph;
  const auto device = graph.add_node_class({.kind = NodeKind::kDevice, .name = "device"});
  const auto hub = graph.add_node_class({.kind = NodeKind::kSwitch, .name = "hub"});
  graph.add_link_class({"link", BytesPerSecond(1e9), Seconds(1e-6)});
  graph.add_node(device);
  graph.add_node(hub);
  graph.add_node(device);
  return graph;
}

TEST(Graph, ACableIsTwoLinksThatAreEachOthersReverse) {
  Graph graph = two_devices_and_a_switch();

  const Id<Link> there = graph.add_cable(Id<Node>(0), Id<Node>(1), Id<LinkClass>(0));

  EXPECT_EQ(reverse(reverse(there)), there);
  EXPECT_EQ(graph.link(reverse(there)).from, graph.link(there).to);
  EXPECT_EQ(graph.link(reverse(there)).to, graph.link(there).from);
  EXPECT_EQ(graph.link_classes()[0].count, 2U);
}

TEST(Graph, DevicesAreNumberedSeparatelyFromOtherNodes) {
  const Graph graph = two_devices_and_a_switch();

  EXPECT_EQ(graph.devices().size(), 2U);
  EXPECT_EQ(graph.name(graph.devices()[1]), "device 1");
  EXPECT_EQ(graph.name(Id<Node>(1)), "switch 0");
  EXPECT_EQ(graph.node_classes()[0].count, 2U);
}

TEST(Graph, LinksOutAreInOrderOfCreation) {
  Graph graph = two_devices_and_a_switch();
  graph.add_cable(Id<Node>(2), Id<Node>(1), Id<LinkClass>(0));
  graph.add_cable(Id<Node>(0), Id<Node>(1), Id<LinkClass>(0));
  graph.add_cable(Id<Node>(1), Id<Node>(2), Id<LinkClass>(0));

  graph.index_links();

  const auto out = graph.links_out(Id<Node>(1));
  EXPECT_EQ(std::vector(out.begin(), out.end()),
            (std::vector{Id<Link>(1), Id<Link>(3), Id<Link>(4)}));
  EXPECT_EQ(graph.links_out(Id<Node>(0)).size(), 1U);
}

TEST(Graph, AGivenNameReplacesTheNumber) {
  Graph graph = two_devices_and_a_switch();

  graph.set_name(Id<Node>(2), "gpu_b");

  EXPECT_EQ(graph.name(Id<Node>(2)), "gpu_b");
  EXPECT_EQ(graph.name(Id<Node>(0)), "device 0");
}

}  // namespace
}  // namespace cairn::platform
