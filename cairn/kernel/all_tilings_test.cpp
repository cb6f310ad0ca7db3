#include "cairn/kernel/all_tilings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "cairn/kernel/cost.hpp"
#include "cairn/kernel/test_support/any_device.hpp"
#include "cairn/kernel/test_support/products.hpp"

namespace cairn::kernel {
namespace {

using testing::ElementsAre;

// 2 x 2 outputs with k = 1, tiles of one or two rows and columns, one core and no shared level:
// left and right, 4 B each, are read once or twice, 8 B are written.
TEST(MemoryOfAllTilings, CountsHowOftenEachOperandIsRead) {
  chip::Device device;
  device.cores = {.count = 1.0,
                  .frequency = Hertz(1e9),
                  .matrix = {.fp16 = Flops(2.0)},
                  .vector = Flops(1.0),
                  .dataflow = chip::Dataflow::kNone};
  device.memory = {.capacity = Bytes(1e9), .bandwidth = BytesPerSecond(1e9)};

  const auto amounts = memory_of_all_tilings(gemm(2.0, 2.0, 1.0), device);

  EXPECT_THAT(amounts, ElementsAre(Bytes(16.0), Bytes(20.0), Bytes(24.0)));
}

// Room for one weight of 2 B while the next is loaded. One output with k = 2: a tile reads 4 + 4 B
// and writes 2 B; with one stationary weight at a time, the partial sum of 4 B leaves and returns.
TEST(MemoryOfAllTilings, CountsStationaryOperands) {
  chip::Device device;
  device.cores = {.count = 1.0,
                  .frequency = Hertz(1e9),
                  .matrix = {.fp16 = Flops(2.0)},
                  .vector = Flops(1.0),
                  .dataflow = chip::Dataflow::kWeightStationary};
  device.levels = {{.name = "l2", .scope = chip::Scope::kGlobal, .capacity = Bytes(4.0)}};
  device.memory = {.capacity = Bytes(1e9), .bandwidth = BytesPerSecond(1e9)};
  device.tiles.sides = {2.0};

  const auto amounts = memory_of_all_tilings(gemm(1.0, 1.0, 2.0), device);

  EXPECT_THAT(amounts, ElementsAre(Bytes(10.0), Bytes(18.0)));
}

double small() {
  return 1.0 * *rc::gen::inRange(1, 40);
}

// With memory as the only bottleneck, the search takes the minimum of all.
RC_GTEST_PROP(MemoryOfAllTilings, MinimumEqualsTheSearchAndIsAtLeastCompulsory, ()) {
  chip::Device device = any_device();
  device.memory.bandwidth = BytesPerSecond(1.0);
  const Work work = gemm(small(), small(), small());

  const auto amounts = memory_of_all_tilings(work, device);
  const Cost fastest = cost(work, device);

  RC_ASSERT(fastest.bound_by.kind == BoundBy::Kind::kMemory);
  RC_ASSERT(amounts.front() == fastest.memory);
  RC_ASSERT(amounts.front() >= work.bytes());
  RC_ASSERT(std::ranges::is_sorted(amounts));
}

// On any device, the traffic of the search's tiling is one of them.
RC_GTEST_PROP(MemoryOfAllTilings, IncludesTheTilingOfTheSearch, ()) {
  const chip::Device device = any_device();
  const Work work = gemm(small(), small(), small());

  const auto amounts = memory_of_all_tilings(work, device);

  RC_ASSERT(std::ranges::find(amounts, cost(work, device).memory) != amounts.end());
}

}  // namespace
}  // namespace cairn::kernel
