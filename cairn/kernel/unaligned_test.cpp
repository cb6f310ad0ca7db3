#include "cairn/kernel/unaligned.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cairn/kernel/test_support/products.hpp"

namespace cairn::kernel {
namespace {

// Two cores bound by loads: 1 GHz, 16 B per cycle.
chip::Device loader() {
  chip::Device device = chip::pe_array(2.0, 1e6, Hertz(1e9), Bytes(1e9));
  device.memory = {.capacity = Bytes(1e12), .bandwidth = BytesPerSecond(1e18)};
  device.tiles.unaligned = {.side = 64.0,
                            .slice = 32.0,
                            .at_once = 2.0,
                            .per_cycle = Bytes(16.0),
                            .latency = Seconds(1e-6)};
  return device;
}

TEST(Unaligned, RowsAreNotMultiplesOfTheAlignment) {
  const chip::Device device = loader();
  EXPECT_FALSE(is_unaligned(gemm(7.0, 8.0, 16.0), device));  // rows of 8 and 16 elements
  EXPECT_TRUE(is_unaligned(gemm(8.0, 7.0, 16.0), device));
  EXPECT_TRUE(is_unaligned(gemm(8.0, 8.0, 4.0), device));
  EXPECT_FALSE(is_unaligned(gemm(8.0, 8.0, 4.0, chip::Precision::kFp32), device));
  chip::Device indifferent = device;
  indifferent.tiles.unaligned.reset();
  EXPECT_FALSE(is_unaligned(gemm(8.0, 7.0, 16.0), indifferent));
}

// One tile: each of 32 slices waits for memory. A slice is 2 * 64 * 32 elements of 2 bytes, 512
// cycles.
TEST(Unaligned, WaitsForEachSliceWithOneTileInFlight) {
  EXPECT_DOUBLE_EQ(cost(gemm(64.0, 1.0, 1024.0), loader()).compute.si(), 32 * 1e-6);
}

// Five waves: two tiles at once twice, whose loads take 1.024 us a slice, and one alone.
TEST(Unaligned, OtherTilesFillTheWait) {
  EXPECT_NEAR(cost(gemm(10.0 * 64.0, 1.0, 1024.0), loader()).compute.si(),
              32 * (2 * 1.024e-6 + 1e-6),
              1e-12);
}

RC_GTEST_PROP(Unaligned, IsNeverFasterThanAligned, ()) {
  const auto m = static_cast<double>(*rc::gen::inRange(1, 3000));
  const auto n = static_cast<double>(*rc::gen::inRange(1, 3000));
  const auto k = static_cast<double>(*rc::gen::inRange(1, 3000));
  chip::Device device = loader();
  device.tiles.sides = {64.0};
  const Seconds ours = cost(gemm(m, n, k), device).time;
  device.tiles.unaligned.reset();
  RC_ASSERT(ours >= cost(gemm(m, n, k), device).time);
}

}  // namespace
}  // namespace cairn::kernel
