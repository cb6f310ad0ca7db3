#include "cairn/kernel/cache.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "cairn/kernel/test_support/products.hpp"
#include "cairn/kernel/test_support/small_array.hpp"

namespace cairn::kernel {
namespace {

TEST(Cache, ReturnsStableReferencesToTheSameCost) {
  Cache cache(small_array());
  const Work work = gemm(100.0, 200.0, 300.0);

  const Cost& first = cache.cost(work);
  for (double n = 1.0; n < 500.0; n += 1.0) {
    cache.cost(gemm(10.0, n, 10.0));
  }

  EXPECT_EQ(&cache.cost(work), &first);
  EXPECT_EQ(first.time, cost(work, small_array()).time);
}

TEST(Cache, DistinguishesPrecisions) {
  Cache cache(small_array());
  Work work = gemm(100.0, 200.0, 300.0);

  cache.cost(work);
  work.precision = chip::Precision::kFp32;

  EXPECT_EQ(cache.cost(work).time, cost(work, small_array()).time);
}

TEST(Cache, IsThreadSafe) {
  constexpr int kThreads = 4;
  Cache cache(small_array());
  std::vector<std::vector<Seconds>> times(kThreads);
  std::vector<std::thread> threads;

  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (double n = 1.0; n <= 200.0; n += 1.0) {
        times[static_cast<std::size_t>(t)].push_back(cache.cost(gemm(64.0, n, 32.0)).time);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }

  for (const auto& of_thread : times) {
    EXPECT_EQ(of_thread, times.front());
  }
  EXPECT_EQ(times.front().back(), cost(gemm(64.0, 200.0, 32.0), small_array()).time);
}

}  // namespace
}  // namespace cairn::kernel
