#include "cairn/platform/torus_cycles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cairn/platform/ring_walk.hpp"
#include "cairn/platform/topology/grid.hpp"

namespace cairn::platform {
namespace {

using Dims = std::vector<std::uint64_t>;

Platform torus(const Dims& dims) {
  Platform made = topology::make_torus({dims, {BytesPerSecond(1e9)}, {Seconds(0.0)}});
  for (const std::uint64_t width : dims) {
    made.name += " " + std::to_string(width);
  }
  return made;
}

// Every list of two to four widths of at least one with at most `devices` devices.
std::vector<Dims> shapes(std::uint64_t devices) {
  std::vector<Dims> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint64_t product = 1;
    for (const std::uint64_t width : all[i]) {
      product *= width;
    }
    for (std::uint64_t width = 1; all[i].size() < 4 && width * product <= devices; ++width) {
      all.push_back(all[i]);
      all.back().push_back(width);
    }
  }
  std::erase_if(all, [](const Dims& dims) { return dims.size() < 2; });
  return all;
}

bool may_have_fewer(const Dims& dims) {
  const auto twos = std::ranges::count(dims, 2U);
  const auto even = std::ranges::count_if(dims, [](std::uint64_t w) { return w % 2 == 0; });
  return twos > 1 || (twos == 1 && even == 1);
}

TEST(TorusRings, AreAsManyAsDimensionsAndUseEveryCable) {
  for (const Dims& dims : shapes(150)) {
    const Platform made = torus(dims);

    const auto wide = std::ranges::count_if(dims, [](std::uint64_t width) { return width > 1; });
    ASSERT_EQ(fault_of_rings(made).value_or(""), "") << made.name;
    ASSERT_EQ(made.rings.empty(), wide == 0) << made.name;
    if (!may_have_fewer(dims)) {
      ASSERT_EQ(made.rings.size(), wide) << made.name;
      ASSERT_EQ(count_idle_cables(made), 0U) << made.name;
    }
  }
}

TEST(TorusRings, OfTwoByAnOddWidthIsOneWhichIsTheMaximum) {
  // Two rings would use every cable. One of the two cables between (x, 0) and (x, 1) would go to
  // each ring (both on one would close it), so of the two cables along x at a device one goes to
  // each ring: alternating, which an odd cycle does not allow.
  EXPECT_EQ(torus({2, 3}).rings.size(), 1U);
  EXPECT_EQ(torus({7, 2}).rings.size(), 1U);
}

TEST(TorusRings, WithSeveralDimensionsOfTwoMayBeFewer) {
  EXPECT_EQ(torus({2, 2}).rings.size(), 2U);
  EXPECT_EQ(torus({2, 2, 4}).rings.size(), 3U);
  // An exhaustive search finds no third for these.
  EXPECT_EQ(torus({2, 2, 2}).rings.size(), 2U);
  EXPECT_EQ(torus({2, 2, 3}).rings.size(), 2U);
}

TEST(TorusRings, OfLargeToriAreComplete) {
  for (const Dims& dims :
       {Dims{32, 32, 32}, Dims{16, 16, 16, 16}, Dims{4, 4, 4096}, Dims{5, 4096}}) {
    const Platform made = torus(dims);

    EXPECT_EQ(fault_of_rings(made).value_or(""), "");
    EXPECT_EQ(made.rings.size(), dims.size());
    EXPECT_EQ(count_idle_cables(made), 0U);
  }
}

}  // namespace
}  // namespace cairn::platform
