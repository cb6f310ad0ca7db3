#include "cairn/kernel/caches.hpp"

#include <gtest/gtest.h>

#include "cairn/kernel/test_support/small_array.hpp"

namespace cairn::kernel {
namespace {

TEST(Caches, OfDevicesThatDifferInTheirLinksAreOne) {
  Caches caches;
  chip::Device other = small_array();
  other.links = BytesPerSecond(300e9);
  other.name = "other";

  EXPECT_EQ(caches.of(small_array()), caches.of(other));
}

TEST(Caches, OfDevicesWhoseKernelsDifferAreTwo) {
  Caches caches;
  const auto one = caches.of(small_array());
  const auto differs = [&](auto change) {
    chip::Device other = small_array();
    change(other);
    return caches.of(other) != one;
  };

  EXPECT_TRUE(differs([](chip::Device& d) { d.cores.count = 1023.0; }));
  EXPECT_TRUE(differs([](chip::Device& d) { d.cores.matrix.fp64 = Flops(2.0); }));
  EXPECT_TRUE(differs([](chip::Device& d) { d.levels.front().capacity = Bytes(1024.0); }));
  EXPECT_TRUE(differs([](chip::Device& d) { d.memory.bandwidth = BytesPerSecond(901e9); }));
  EXPECT_TRUE(differs([](chip::Device& d) { d.tiles.splits = 2.0; }));
  EXPECT_TRUE(differs([](chip::Device& d) { d.kernels.push_back({.work = 2.0}); }));
  EXPECT_TRUE(differs([](chip::Device& d) { d.launch = Seconds(1e-6); }));
}

TEST(Caches, ThatAreForgottenStayWithWhoHasThem) {
  Caches caches(2);
  const auto first = caches.of(small_array());
  for (double count = 1.0; count < 4.0; count += 1.0) {
    chip::Device other = small_array();
    other.cores.count = count;
    caches.of(other);
  }

  EXPECT_NE(caches.of(small_array()), first);
  EXPECT_EQ(first->device().cores.count, small_array().cores.count);
}

}  // namespace
}  // namespace cairn::kernel
