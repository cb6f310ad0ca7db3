#include "cairn/kernel/caches.hpp"

#include <gtest/gtest.h>

namespace cairn::kernel {
namespace {

chip::Device device() {
  chip::Device device = chip::pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32.0 * 1024));
  device.memory = {.capacity = Bytes(16e9), .bandwidth = BytesPerSecond(900e9)};
  return device;
}

TEST(Caches, OfDevicesThatDifferInTheirLinksAreOne) {
  Caches caches;
  chip::Device other = device();
  other.links = BytesPerSecond(300e9);
  other.name = "other";

  EXPECT_EQ(caches.of(device()), caches.of(other));
}

TEST(Caches, OfDevicesWhoseKernelsDifferAreTwo) {
  Caches caches;
  const auto one = caches.of(device());
  const auto differs = [&](auto change) {
    chip::Device other = device();
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
  const auto first = caches.of(device());
  for (double count = 1.0; count < 4.0; count += 1.0) {
    chip::Device other = device();
    other.cores.count = count;
    caches.of(other);
  }

  EXPECT_NE(caches.of(device()), first);
  EXPECT_EQ(first->device().cores.count, device().cores.count);
}

}  // namespace
}  // namespace cairn::kernel
