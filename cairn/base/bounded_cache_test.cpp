#include "cairn/base/bounded_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace cairn {

namespace {

TEST(BoundedCache, MakesAValueOncePerKey) {
  BoundedCache<int, const int, 4> squares;
  int made = 0;
  const auto square = [&](int n) {
    return *squares.get(n, [&] {
      ++made;
      return n * n;
    });
  };

  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(square(2), 4);

  EXPECT_EQ(made, 2);
}

TEST(BoundedCache, EvictsTheOldestEntryWhileHoldersKeepItsValue) {
  BoundedCache<int, const int, 2> cache;
  int made = 0;
  const auto get = [&](int n) { return cache.get(n, [&, n] { return ++made, n; }); };

  const auto first = get(1);
  get(2);
  get(3);

  EXPECT_EQ(*first, 1);
  get(2);
  get(3);
  EXPECT_EQ(made, 3);  // both are still cached
  get(1);
  EXPECT_EQ(made, 4);
}

TEST(BoundedCache, GivesAllThreadsTheSameValue) {
  BoundedCache<int, std::atomic<int>, 8> counters;
  constexpr int kThreads = 4;
  constexpr int kRounds = 1000;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < kRounds; ++i) {
          ++*counters.get(i % 8, [] { return 0; });
        }
      });
    }
  }
  int sum = 0;
  for (int key = 0; key < 8; ++key) {
    sum += *counters.get(key, [] { return 0; });
  }
  EXPECT_EQ(sum, kThreads * kRounds);
}

}  // namespace

}  // namespace cairn
