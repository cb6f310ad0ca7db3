#include "cairn/platform/renumber.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/platform/route.hpp"

namespace cairn::platform {
namespace {

using Ranks = std::vector<std::uint32_t>;

Platform rails() {
  return read_platform(parse_config("{topology: islands, island: \"switch:4@300GB/s\", between: "
                                    "{topology: fat_tree, dims: [3, 2], bandwidth: 25 GB/s}}",
                                    "test"),
                       {});
}

TEST(Renumbered, DevicesOfASwitchAreNumberedByFirstAppearance) {
  EXPECT_EQ(renumbered(read_platform("switch:8@1GB/s", {}), {5, 2, 7, 2}), (Ranks{0, 1, 2, 1}));
}

TEST(Renumbered, LeavesAreNumberedApart) {
  const Platform tree = read_platform("fat_tree:4x4@1GB/s", {});

  EXPECT_EQ(renumbered(tree, {6, 4, 13, 12}), (Ranks{0, 1, 4, 5}));
}

TEST(Renumbered, RailsAreTheSameInAllIslands) {
  // Islands 2 and 4 are on different leaves; rails 3 and 1.
  EXPECT_EQ(renumbered(rails(), {11, 9, 19, 17}), (Ranks{0, 1, 12, 13}));
  EXPECT_EQ(renumbered(rails(), {11, 9, 17, 19}), (Ranks{0, 1, 13, 12}));
}

TEST(Renumbered, TheFirstDeviceOfATorusIsAtTheOrigin) {
  const Platform torus = read_platform("torus:4x4@1GB/s", {});

  EXPECT_EQ(renumbered(torus, {5, 6, 1}), (Ranks{0, 1, 12}));
  EXPECT_EQ(renumbered(read_platform("mesh:4x4@1GB/s", {}), {5, 6, 1}), (Ranks{5, 6, 1}));
}

// A renumbering is a symmetry: routes between the same positions of both lists load the same
// numbers of links by the same shares.
TEST(Renumbered, RoutesStayTheSame) {
  EXPECT_TRUE(rc::check("renumbered routes", [] {
    const Platform platform = *rc::gen::element(rails(),
                                                read_platform("fat_tree:4x4@1GB/s", {}),
                                                read_platform("fat_tree:2x3x2@1GB/s", {}),
                                                read_platform("torus:3x4@1GB/s", {}),
                                                read_platform("switch:8@1GB/s", {}));
    Ranks ranks(platform.device_count());
    std::iota(ranks.begin(), ranks.end(), 0U);
    for (std::size_t i = ranks.size() - 1; i > 0; --i) {
      std::swap(ranks[i], ranks[*rc::gen::inRange<std::size_t>(0, i + 1)]);
    }
    ranks.resize(*rc::gen::inRange<std::size_t>(2, ranks.size() + 1));
    const Ranks after = renumbered(platform, ranks);

    // Messages from each device to the next; loads of links, sorted.
    const auto loads = [&](const Ranks& list) {
      Router router(platform);
      std::vector<double> load(platform.graph.links().size(), 0.0);
      for (std::size_t i = 0; i + 1 < list.size(); ++i) {
        const auto devices = platform.graph.devices();
        for (const Hop& hop : router.route(devices[list[i]], devices[list[i + 1]]).hops) {
          load[hop.link.index()] += hop.share;
        }
      }
      std::ranges::sort(load);
      return load;
    };
    const std::vector<double> before = loads(ranks);
    const std::vector<double> renumbered_loads = loads(after);
    for (std::size_t l = 0; l < before.size(); ++l) {
      RC_ASSERT(std::abs(before[l] - renumbered_loads[l]) < 1e-12);
    }
  }));
}

}  // namespace
}  // namespace cairn::platform
