#include "cairn/remote/free_ranges.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace cairn::remote {
namespace {

TEST(FreeRanges, TakesTheLowestConsecutivePagesThatFit) {
  FreeRanges free({.first = 10, .count = 100});
  EXPECT_EQ(free.take_consecutive(4), 10U);
  EXPECT_EQ(free.take_consecutive(4), 14U);
  free.give_back({.first = 10, .count = 4});

  EXPECT_EQ(free.take_consecutive(5), 18U);  // 10..13 is too short
  EXPECT_EQ(free.take_consecutive(3), 10U);
  EXPECT_EQ(free.take_consecutive(100), std::nullopt);
  EXPECT_EQ(free.total(), 100U - 4 - 5 - 3);
}

TEST(FreeRanges, TakesScatteredPages) {
  FreeRanges free({.first = 0, .count = 6});
  free.take_anywhere(6);
  for (const std::uint64_t page : {0U, 2U, 4U}) {
    free.give_back({.first = page, .count = 1});
  }

  EXPECT_EQ(free.take_consecutive(2), std::nullopt);
  EXPECT_EQ(free.take_anywhere(3), (std::vector<PageRange>{{0, 1}, {2, 1}, {4, 1}}));
  EXPECT_EQ(free.total(), 0U);
}

TEST(FreeRanges, MergesAdjacentRanges) {
  FreeRanges free({.first = 0, .count = 9});
  free.take_anywhere(9);
  free.give_back({.first = 0, .count = 3});
  free.give_back({.first = 6, .count = 3});
  EXPECT_EQ(free.range_count(), 2U);

  free.give_back({.first = 3, .count = 3});

  EXPECT_EQ(free.range_count(), 1U);
  EXPECT_EQ(free.take_consecutive(9), 0U);
}

// Against a set of pages: no page is allocated twice or lost, and ranges are maximal.
RC_GTEST_PROP(FreeRangesProperty, AgreesWithASet, ()) {
  FreeRanges free({.first = 0, .count = 64});
  std::set<std::uint64_t> taken;
  for (const int step : *rc::gen::container<std::vector<int>>(
           rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 1 << 16)))) {
    const auto count = static_cast<std::uint64_t>(step % 9 + 1);
    const bool give = step % 2 == 0;
    if (give && !taken.empty()) {
      const std::uint64_t page = *std::next(
          taken.begin(),
          static_cast<std::ptrdiff_t>(static_cast<std::size_t>(step / 16) % taken.size()));
      taken.erase(page);
      free.give_back({.first = page, .count = 1});
    } else if (count <= free.total()) {
      for (const PageRange& range : free.take_anywhere(count)) {
        for (std::uint64_t page = range.first; page < range.end(); ++page) {
          RC_ASSERT(page < 64);
          RC_ASSERT(taken.insert(page).second);
        }
      }
    }
    std::size_t gaps = 0;
    for (std::uint64_t page = 0; page < 64; ++page) {
      const bool here = !taken.contains(page);
      gaps += here && (page == 0 || taken.contains(page - 1)) ? 1U : 0U;
    }
    RC_ASSERT(free.total() + taken.size() == 64);
    RC_ASSERT(free.range_count() == gaps);
  }
}

}  // namespace
}  // namespace cairn::remote
