#include "cairn/platform/topology/given_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "cairn/platform/backing_store.hpp"
#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform::topology {
namespace {

using testing::HasSubstr;

std::string complaint_about(const std::string& yaml) {
  return complaint([&] { from_yaml(yaml); });
}

TEST(GivenGraph, GroupsOfUnequalSizeOnOneSwitch) {
  const Platform graph = from_yaml(
      "topology: graph\n"
      "nodes:\n"
      "- {name: small, count: 3}\n"
      "- {name: big, count: 2, injection: 60 GB/s}\n"
      "- {name: hub, kind: switch}\n"
      "links:\n"
      "- {from: small, to: hub, bandwidth: 25 GB/s, latency: 1 us}\n"
      "- {from: big, to: hub, count: 2, bandwidth: 50 GB/s, bandwidth_back: 40 GB/s,"
      " latency_back: 2 us}\n");

  EXPECT_EQ(graph.device_count(), 5U);
  EXPECT_EQ(graph.graph.links().size() / 2, 3U + 2U * 2U);
  EXPECT_EQ(graph.graph.name(graph.graph.devices()[4]), "big1");
  EXPECT_DOUBLE_EQ(graph.graph.class_of(graph.graph.devices()[4]).injection.si(), 60e9);
  const Id<Link> up = graph.graph.links_out(graph.graph.devices()[4])[0];
  EXPECT_DOUBLE_EQ(graph.graph.class_of(up).bandwidth.si(), 50e9);
  EXPECT_DOUBLE_EQ(graph.graph.class_of(reverse(up)).bandwidth.si(), 40e9);
  EXPECT_DOUBLE_EQ(graph.graph.class_of(reverse(up)).latency.si(), 2e-6);
}

TEST(GivenGraph, RingsMayBeGivenThroughMemoryNodes) {
  const Platform graph = from_yaml(
      "topology: graph\n"
      "nodes: [{name: d, count: 2}, {name: m, kind: memory_node, count: 2}]\n"
      "links: [{from: d, to: m, bandwidth: 25 GB/s}]\n"
      "rings: [[d0, m0, d1, m1]]\n");

  ASSERT_EQ(graph.rings.size(), 1U);
  EXPECT_EQ(graph.rings[0].links.size(), 4U);
}

TEST(GivenGraph, RingsAreSearchedForWhereNoneAreGiven) {
  const Platform complete = from_yaml(
      "{topology: graph, nodes: [{name: d, count: 5}],"
      " links: [{from: d, to: d, bandwidth: 1 GB/s}]}");

  EXPECT_EQ(complete.graph.links().size() / 2, 10U);
  EXPECT_EQ(complete.rings.size(), 2U);
}

// Devices and memory-nodes alternate on three rings, as in the topology mc_dla_ring.
TEST(GivenGraph, MemoryNodesEqualThoseOfTheBuiltInTopology) {
  for (const std::string memory :
       {"", "memory_node: {dimm: rdimm-16, dimms: 4, dimm_bandwidth: 17 GB/s, latency: 80 ns}\n"}) {
    const Platform made = from_yaml("topology: mc_dla_ring\ndevices: 4\n" + memory);
    const Platform given = from_yaml(
        "topology: graph\n"
        "nodes: [{name: d, count: 4}, {name: m, kind: memory_node, count: 4}]\n"
        "links:\n"
        "- {from: d, to: m, join: pairwise, count: 3, bandwidth: 25 GB/s, latency: 500 ns}\n"
        "- {from: m0, to: d1, count: 3, bandwidth: 25 GB/s, latency: 500 ns}\n"
        "- {from: m1, to: d2, count: 3, bandwidth: 25 GB/s, latency: 500 ns}\n"
        "- {from: m2, to: d3, count: 3, bandwidth: 25 GB/s, latency: 500 ns}\n"
        "- {from: m3, to: d0, count: 3, bandwidth: 25 GB/s, latency: 500 ns}\n" +
        memory);

    EXPECT_GT(power_without_devices(given), Watts(0.0));
    EXPECT_EQ(power_without_devices(given), power_without_devices(made));
    const auto store = backing_store(given, 0, PagePlacement::kBandwidthAware);
    const auto expected = backing_store(made, 0, PagePlacement::kBandwidthAware);
    ASSERT_EQ(store.size(), expected.size());
    for (std::size_t i = 0; i < store.size(); ++i) {
      EXPECT_EQ(store[i].bandwidth, expected[i].bandwidth);
      EXPECT_EQ(store[i].capacity, expected[i].capacity);
      EXPECT_EQ(store[i].latency, expected[i].latency);
    }
  }
}

// Table IV: 12.7 W for 128 GB, 2.9 W for 8 GB.
TEST(GivenGraph, AGroupOfMemoryNodesMayDifferFromTheOthers) {
  const Platform graph = from_yaml(
      "topology: graph\n"
      "memory_node: {dimms: 2}\n"
      "nodes: [{name: d}, {name: m, kind: memory_node, count: 3},\n"
      "        {name: n, kind: memory_node, memory_node: {dimm: rdimm-8, dimms: 1}}]\n"
      "links: [{from: d, to: m, bandwidth: 25 GB/s}, {from: d, to: n, bandwidth: 25 GB/s}]\n");

  EXPECT_DOUBLE_EQ(power_without_devices(graph).si(), 3 * 2 * 12.7 + 2.9);
}

constexpr const char* kTwo = "topology: graph\nnodes: [{name: d, count: 2}]\nlinks:\n";

TEST(BadGraph, ADisconnectedPairIsNamed) {
  EXPECT_EQ(complaint_about("topology: graph\nnodes: [{name: d, count: 3}]\n"
                            "links:\n- {from: d0, to: d1, bandwidth: 1 GB/s}\n"),
            "test.yaml:3: links: leave d2 unreachable from d0 (expected a path between all "
            "devices)");
  EXPECT_THAT(complaint_about("topology: graph\nnodes: [{name: d, count: 3}]\n"),
              HasSubstr("links: leave d1 unreachable"));
}

TEST(BadGraph, AnUnknownNodeIsNamedWithItsLine) {
  EXPECT_EQ(complaint_about(std::string(kTwo) + "- {from: d0, to: d1, bandwidth: 1 GB/s}\n"
                                                "- {from: d0, to: e1, bandwidth: 1 GB/s}\n"),
            "test.yaml:5: links[1].to: \"e1\" is not a node (did you mean \"d1\"?)");
}

TEST(BadGraph, ZeroBandwidthIsNamedWithItsLine) {
  EXPECT_THAT(complaint_about(std::string(kTwo) + "- {from: d0, to: d1, bandwidth: 0 GB/s}\n"),
              HasSubstr("test.yaml:4: links[0].bandwidth"));
  EXPECT_THAT(complaint_about(std::string(kTwo) +
                              "- {from: d0, to: d1, bandwidth: 1 GB/s, bandwidth_back: 0 B/s}\n"),
              HasSubstr("test.yaml:4: links[0].bandwidth_back"));
}

TEST(BadGraph, OtherMistakesNameTheirKey) {
  const std::string two = kTwo;
  EXPECT_THAT(complaint_about(two + "- {from: d0, to: d0, bandwidth: 1 GB/s, join: pairwise}\n"),
              HasSubstr("connected to itself"));
  EXPECT_THAT(complaint_about(two + "- {from: d, to: d0, bandwidth: 1 GB/s, join: pairwise}\n"),
              HasSubstr("test.yaml:4: links[0].join"));
  EXPECT_THAT(complaint_about(two + "- {from: d, bandwidth: 1 GB/s}\n"), HasSubstr("links[0].to"));
  EXPECT_THAT(complaint_about("topology: graph\nnodes: [{name: d}, {name: d}]\n"),
              HasSubstr("nodes[1].name"));
  EXPECT_THAT(complaint_about("topology: graph\nnodes: [{name: s, kind: switch}]\n"),
              HasSubstr("no device"));
  EXPECT_THAT(complaint_about("topology: graph\nnodes: [{name: d, count: 1000000000000}]\n"),
              HasSubstr("of memory"));
  EXPECT_THAT(complaint_about("topology: graph\nnodes: [{name: d, count: 100000}]\n"
                              "links: [{from: d, to: d, bandwidth: 1 GB/s}]\n"),
              HasSubstr("of memory"));
  EXPECT_THAT(complaint_about(two + "- {from: d0, to: d1, bandwidth: 1 GB/s}\nrings: [[d0, d1]]\n"),
              HasSubstr("test.yaml:5: rings[0]"));
  EXPECT_THAT(complaint_about(two + "- {from: d0, to: d1, bandwidth: 1 GB/s}\ndims: [3]\n"),
              HasSubstr("test.yaml:5: dims"));
}

TEST(BadGraph, AMemoryNodeKeyWithoutEffectIsRejected) {
  const std::string two = std::string(kTwo) + "- {from: d0, to: d1, bandwidth: 1 GB/s}\n";
  EXPECT_THAT(complaint_about(two + "memory_node: {dimms: 4}\n"),
              HasSubstr("test.yaml:5: memory_node: has no effect"));
  EXPECT_THAT(complaint_about("topology: graph\nnodes:\n- {name: d, count: 2}\n"
                              "- {name: s, kind: switch, memory_node: {dimms: 4}}\n"
                              "links: [{from: d, to: s, bandwidth: 1 GB/s}]\n"),
              HasSubstr("test.yaml:4: nodes[1].memory_node: applies only to nodes with"));
  EXPECT_THAT(complaint_about("topology: graph\nnodes:\n- {name: d, count: 2}\n- name: s\n"
                              "  kind: memory_node\n"
                              "  memory_node: {stage: {kind: encryption, rate: 1 GB/s, ratio: 2}}\n"
                              "links: [{from: d, to: s, bandwidth: 1 GB/s}]\n"),
              HasSubstr("test.yaml:6: nodes[1].memory_node.stage.ratio"));
}

// Text glued from pieces of a valid file, some of them wrong.
rc::Gen<std::string> gen_graph_yaml() {
  return rc::gen::exec([] {
    const auto piece = [](std::vector<std::string> choices) {
      return *rc::gen::elementOf(std::move(choices));
    };
    std::string yaml = "topology: graph\nnodes:\n";
    for (auto n = *rc::gen::inRange(0, 4); n > 0; --n) {
      yaml += "- {name: " + piece({"a", "b", "c", "a0", "''", "[x]"});
      yaml += piece({"", ", count: 2", ", count: 5", ", count: 0", ", count: x", ", count: -1"});
      yaml += piece({"", ", kind: switch", ", kind: memory_node", ", kind: gpu"});
      yaml += piece({"", ", injection: 1 GB/s", ", store_and_forward: 4 KiB"}) + "}\n";
    }
    yaml += "links:\n";
    for (auto n = *rc::gen::inRange(0, 5); n > 0; --n) {
      yaml += "- {from: " + piece({"a", "b", "c", "a0", "a1", "b4"});
      yaml += piece({", to: a", ", to: b", ", to: c", ", to: b0", ""});
      yaml += piece({"", ", join: ring", ", join: pairwise", ", count: 3"});
      yaml += piece({", bandwidth: 1 GB/s", ", bandwidth: 1 GB/s", ", bandwidth: 0 B/s", ""});
      yaml += "}\n";
    }
    return yaml + piece({"", "dims: [2, 2]\n", "rings: [[a0, a1]]\n", "routing: multipath\n"});
  });
}

TEST(GivenGraphProperties, RandomTextIsAGoodPlatformOrAConfigError) {
  EXPECT_TRUE(rc::check("never crashes", [] {
    const std::string yaml = *gen_graph_yaml();
    try {
      const Platform platform = from_yaml(yaml);
      RC_ASSERT(platform.device_count() > 0);
      RC_ASSERT(!fault_of_rings(platform));
    } catch (const ConfigError& error) {
      RC_ASSERT(error.where().file == "test.yaml");
    }
  }));
}

}  // namespace
}  // namespace cairn::platform::topology
