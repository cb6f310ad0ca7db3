#include "cairn/platform/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/route.hpp"
#include "cairn/platform/test_support/platforms.hpp"

namespace cairn::platform {
namespace {

const std::vector<std::string> kSymmetric{
    "ring:1@1GB/s",
    "ring:2@1GB/s",
    "ring:5@1GB/s",
    "ring:6@1GB/s",
    "rings:2x2@1GB/s",
    "rings:6x3@1GB/s",
    "torus:4x3@1GB/s",
    "torus:2x2@1GB/s",
    "torus:2x3x4@1GB/s,2GB/s,3GB/s",
    "torus:1x4@1GB/s",
    "fully_connected:2@1GB/s",
    "fully_connected:6@1GB/s",
    "fully_connected:7@1GB/s",
    "switch:5@1GB/s",
    "switch:6x3@1GB/s",
    "dgx2@25GB/s",
    "mc_dla_ring:8x3@25GB/s",
    "mc_dla_ring:3x2@25GB/s",
    "mc_dla_plane:4x1@25GB/s",
    "mc_dla_plane:4x3@25GB/s",
    "mc_dla_plane:1x4@25GB/s",
    "fat_tree:4x4@1GB/s",
    "fat_tree:3x2x2@1GB/s",
    "fat_tree:8@1GB/s",
};

const std::vector<std::string> kSymmetricYaml{
    "{topology: islands, island: 'switch:4@8GB/s', between: 'switch:3@1GB/s'}",
    "{topology: islands, island: 'switch:4x2@8GB/s', between: 'fat_tree:2x3@1GB/s'}",
    "{topology: islands, island: 'torus:2x3@8GB/s', between: 'ring:4@1GB/s'}",
    "{topology: islands, island: 'fully_connected:4@8GB/s', between: 'ring:4@1GB/s'}",
    "{topology: islands, island: 'mc_dla_ring:4x3@8GB/s', between: 'switch:3@1GB/s'}",
    "{topology: mc_dla_plane, devices: 3, system_nodes: 4, links: 3, memory_links: 1, trunks: 2}",
    "{topology: islands, island: 'mc_dla_plane:4x1@25GB/s', between: 'switch:3@6GB/s'}",
    "{topology: fat_tree, dims: [4, 3], bandwidth: 1 GB/s, oversubscription: 2}",
    "{topology: fat_tree, dims: [4, 3], bandwidth: 1 GB/s, parents: [3]}",
};

std::vector<Platform> symmetric_platforms() {
  std::vector<Platform> platforms;
  platforms.reserve(kSymmetric.size() + kSymmetricYaml.size());
  for (const std::string& text : kSymmetric) {
    platforms.push_back(read_platform(text, {}));
  }
  for (const std::string& yaml : kSymmetricYaml) {
    platforms.push_back(from_yaml(yaml));
    platforms.back().name = yaml;
  }
  return platforms;
}

std::uint32_t shifted(const Platform& platform, std::uint32_t rank, std::uint32_t displacement) {
  std::uint32_t result = rank;
  for (std::size_t dim = 0; dim < platform.dims.size(); ++dim) {
    const auto here = place_in(platform.dims, result, dim);
    const auto by = place_in(platform.dims, displacement, dim);
    result = here.rank_at(result, (here.coordinate + by.coordinate) % here.width);
  }
  return result;
}

// Shares rounded to whole parts of 10^9, so that they can be compared and ordered.
using Fingerprint = std::vector<std::pair<std::uint32_t, std::int64_t>>;

Fingerprint fingerprint(const Platform& platform, const Route& route) {
  Fingerprint print;
  for (const Hop& hop : route.hops) {
    print.emplace_back(platform.graph.link(hop.link).link_class.value,
                       std::llround(hop.share * 1e9));
  }
  std::ranges::sort(print);
  return print;
}

// Seen from every device, the route to the device `displacement` further on looks the same; and
// when all devices send at once, all links of a class have the same load.
void expect_same_from_everywhere(const Platform& platform, std::uint32_t displacement) {
  Router router(platform);
  const auto devices = platform.graph.devices();
  std::vector<double> load(platform.graph.links().size(), 0.0);
  const auto first =
      fingerprint(platform, router.route(devices[0], devices[shifted(platform, 0, displacement)]));
  for (std::uint32_t rank = 0; rank < devices.size(); ++rank) {
    const Route route = router.route(devices[rank], devices[shifted(platform, rank, displacement)]);
    ASSERT_EQ(fingerprint(platform, route), first)
        << platform.name << " from " << rank << " by " << displacement;
    for (const Hop& hop : route.hops) {
      load[hop.link.index()] += hop.share;
    }
  }
  std::map<std::uint32_t, double> load_of_class;
  for (std::size_t l = 0; l < load.size(); ++l) {
    const auto link_class = platform.graph.links()[l].link_class.value;
    const double expected = load_of_class.emplace(link_class, load[l]).first->second;
    ASSERT_NEAR(load[l], expected, 1e-9) << platform.name << " by " << displacement;
  }
}

TEST(ShiftSymmetry, RoutesLookTheSameFromEveryDeviceAndLoadAClassEvenly) {
  for (const Platform& platform : symmetric_platforms()) {
    ASSERT_TRUE(platform.shift_symmetric) << platform.name;
    for (std::uint32_t by = 0; by < platform.device_count(); ++by) {
      expect_same_from_everywhere(platform, by);
    }
  }
}

TEST(ShiftSymmetry, RingStepsLoadAClassEvenly) {
  for (const Platform& platform : symmetric_platforms()) {
    Router router(platform);
    for (std::size_t dim = 0; dim < platform.dims.size(); ++dim) {
      for (const bool up : {true, false}) {
        std::vector<double> load(platform.graph.links().size(), 0.0);
        for (std::uint32_t rank = 0; rank < platform.device_count(); ++rank) {
          for (const Hop& hop : router.ring_step(rank, dim, up).hops) {
            load[hop.link.index()] += hop.share;
          }
        }
        std::map<std::uint32_t, double> load_of_class;
        for (std::size_t l = 0; l < load.size(); ++l) {
          const auto link_class = platform.graph.links()[l].link_class.value;
          ASSERT_NEAR(load[l], load_of_class.emplace(link_class, load[l]).first->second, 1e-9)
              << platform.name << " dimension " << dim;
        }
      }
    }
  }
}

TEST(ShiftSymmetry, NodesOfAClassHaveTheSameClassesOfLinks) {
  for (const Platform& platform : symmetric_platforms()) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> out_of_class;
    for (std::size_t n = 0; n < platform.graph.nodes().size(); ++n) {
      std::vector<std::uint32_t> out;
      for (const Id<Link> link : platform.graph.links_out(Id<Node>(n))) {
        out.push_back(platform.graph.link(link).link_class.value);
      }
      std::ranges::sort(out);
      const auto node_class = platform.graph.nodes()[n].node_class.value;
      ASSERT_EQ(out, out_of_class.emplace(node_class, out).first->second) << platform.name;
    }
  }
}

TEST(ShiftSymmetry, IsNotClaimedWhereItDoesNotHold) {
  for (const char* text : {"mesh:4@1GB/s",
                           "cube_mesh@25GB/s",
                           "mc_dla_star_a@25GB/s",
                           "mc_dla_star_b@25GB/s",
                           "hc_dla@25GB/s",
                           "dragonfly:5x2x2x2@1GB/s"}) {
    EXPECT_FALSE(read_platform(text, {}).shift_symmetric) << text;
  }
}

TEST(Torus, ADimensionOfTwoKeepsItsTwoParallelCables) {
  const Platform torus = read_platform("torus:2x3@1GB/s", {});

  // 6 devices x 2 dimensions, one cable up each.
  EXPECT_EQ(torus.graph.links().size() / 2, 12U);
}

TEST(Torus, ADimensionOfOneHasNoCables) {
  EXPECT_EQ(read_platform("torus:1x3x1@1GB/s", {}).graph.links().size() / 2, 3U);
  EXPECT_EQ(read_platform("torus:1@1GB/s", {}).graph.links().size(), 0U);
}

TEST(FatTree, UpBandwidthIsDownBandwidthOverOversubscription) {
  const Platform tree =
      from_yaml("{topology: fat_tree, dims: [12, 4, 2], bandwidth: 10 GB/s, oversubscription: 3}");

  // A leaf: 12 x 10 GB/s down, so 40 GB/s up; 12 / 3 = 4 parents, 10 GB/s each. Above, 4 x 10 GB/s
  // down, 40 / 3 GB/s up; 4 / 3 rounds to 1 parent.
  const Graph& graph = tree.graph;
  EXPECT_DOUBLE_EQ(graph.link_classes()[2].bandwidth.si(), 10e9);
  EXPECT_DOUBLE_EQ(graph.link_classes()[4].bandwidth.si(), 40e9 / 3.0);
  EXPECT_EQ(graph.link_classes()[2].count, 8U * 4U);
  EXPECT_EQ(graph.link_classes()[4].count, 2U * 4U);
}

TEST(Dragonfly, RoutesTakeAtMostOneGlobalCable) {
  const Platform dragonfly = read_platform("dragonfly:9x4x2x2@1GB/s", {});
  Router router(dragonfly);

  for (const Id<Node> from : dragonfly.graph.devices()) {
    for (const Id<Node> to : dragonfly.graph.devices()) {
      std::map<std::string, int> hops;
      for (const Hop& hop : router.route(from, to).hops) {
        ++hops[dragonfly.graph.class_of(hop.link).name];
      }
      EXPECT_LE(hops["global"], 1);
      EXPECT_LE(hops["local"], 2);
    }
  }
  // 9 groups, one cable between every two.
  EXPECT_EQ(dragonfly.graph.link_classes().back().count, 2U * (9U * 8U / 2U));
}

TEST(Dragonfly, TooFewGlobalLinksAreRefused) {
  EXPECT_NE(complaint([] {
              read_platform("dragonfly:10x4x2x2@1GB/s", {});
            }).find("global_links: 4 routers with 2 global links reach 8 other groups"),
            std::string::npos);
}

TEST(Islands, EachDeviceIsOnTheRailOfItsIndex) {
  const Platform pod =
      from_yaml("{topology: islands, island: 'switch:8@450GB/s', between: 'fat_tree:4x2@50GB/s'}");

  EXPECT_EQ(pod.dims, (std::vector<std::uint32_t>{8, 4, 2}));
  // 8 island switches; on each of 8 rails 2 leaves and 4 spines.
  EXPECT_EQ(pod.graph.nodes().size(), 64U + 8U + 8U * (2U + 4U));
  // 64 cables in islands; on each rail 8 from devices and 2 x 4 from leaves.
  EXPECT_EQ(pod.graph.links().size() / 2, 64U + 8U * (8U + 8U));
  Router router(pod);
  // Same rail, same leaf: up and down, all on the rail.
  EXPECT_EQ(router.route(pod.graph.devices()[3], pod.graph.devices()[11]).hops.size(), 2U);
}

TEST(Islands, ATorusConnectedByARingIsATorus) {
  const Platform joined =
      from_yaml("{topology: islands, island: 'torus:3x2@8GB/s', between: 'ring:4@1GB/s'}");
  const Platform torus = read_platform("torus:3x2x4@8GB/s,8GB/s,1GB/s", {});

  EXPECT_EQ(joined.dims, torus.dims);
  EXPECT_EQ(joined.routing, torus.routing);
  EXPECT_EQ(joined.graph.links().size(), torus.graph.links().size());
  EXPECT_EQ(joined.rings.size(), torus.rings.size());
}

TEST(EveryTopology, KnowsItsSizeBeforeItIsBuilt) {
  for (const char* text : {"ring:5@1GB/s",
                           "rings:5x3@1GB/s",
                           "torus:3x4x5@1GB/s",
                           "fully_connected:7@1GB/s",
                           "switch:6x2@1GB/s",
                           "dgx2@1GB/s",
                           "cube_mesh@1GB/s",
                           "hc_dla@1GB/s",
                           "mc_dla_ring:8x3@1GB/s",
                           "mc_dla_plane:4x1@1GB/s",
                           "mc_dla_plane:4x5@1GB/s",
                           "mc_dla_star_a@1GB/s",
                           "mc_dla_star_b@1GB/s",
                           "fat_tree:4x3x2@1GB/s",
                           "dragonfly:5x2x3x2@1GB/s"}) {
    const Config config = parse_config(std::string("'") + text + "'", "test.yaml");
    const Size size = platform_size(config, {});
    const Size made = size_of(read_platform(text, {}).graph);

    EXPECT_EQ(size.devices, made.devices) << text;
    EXPECT_EQ(size.nodes, made.nodes) << text;
    EXPECT_EQ(size.cables, made.cables) << text;
  }
}

TEST(EveryTopology, HasADocAndAReference) {
  for (const Topology& topology : topologies()) {
    EXPECT_FALSE(topology.doc.empty()) << topology.name;
    const std::string text = reference_text(topology);
    for (const char* key : {"injection", "routing", "name", "description", "source"}) {
      EXPECT_NE(text.find(std::string("\n  ") + key + " "), std::string::npos) << text;
    }
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
      EXPECT_LE(text.find('\n', begin) - begin, 100U) << text;
    }
    EXPECT_EQ(find_topology(topology.name), &topology);
  }
  EXPECT_EQ(find_topology("no such"), nullptr);
}

}  // namespace
}  // namespace cairn::platform
