#include "cairn/kernel/sharing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cairn/kernel/test_support/products.hpp"

namespace cairn::kernel {
namespace {

// 132 cores in 8 groups; GEMMs run in whole waves of 256 x 128 tiles in clusters of two.
chip::Device gpu() {
  chip::Device device;
  device.name = "gpu";
  device.cores = {.count = 132.0,
                  .frequency = Hertz(1.8e9),
                  .rows = 64.0,
                  .columns = 8.0,
                  .matrix = {.fp16 = Flops(4096.0)},
                  .vector = Flops(128.0),
                  .groups = 8.0,
                  .in_flight = Bytes(32768.0)};
  device.memory = {.capacity = Bytes(141e9),
                   .bandwidth = BytesPerSecond(4.8e12),
                   .latency = Seconds(580e-9),
                   .utilization = 0.82,
                   .waiting = Seconds(100e-9)};
  device.tiles = {.sides = {64.0, 128.0, 256.0},
                  .accumulators = Bytes(256.0 * 1024.0),
                  .at_once = 2.0,
                  .cluster = 2.0};
  return device;
}

Shared shared(const Work& work, const Resident& resident, const chip::Device& device) {
  const Cost alone = cost(work, device);
  return share(work, alone, alone.time, resident, device);
}

Resident blocks(double count) {
  return {.cores = count, .alone = BytesPerSecond(count * 25e9)};
}

constexpr double kSide = 2048.0;

// 64 pairs of tiles on 66 pairs of cores: two may be taken, a third one causes a second wave.
TEST(Share, AGemmOfOneFullWaveIsTwiceAsSlowBesideAFewBlocks) {
  chip::Device device = gpu();
  device.memory.latency = Seconds(0.0);  // nothing but compute
  const Work work = gemm(kSide, kSide, kSide);

  EXPECT_EQ(shared(work, blocks(2.0), device).kernel.most, SlowdownCause::kNone);
  EXPECT_DOUBLE_EQ(shared(work, blocks(2.0), device).kernel.by, 1.0);
  EXPECT_EQ(shared(work, blocks(3.0), device).kernel.most, SlowdownCause::kWaves);
  EXPECT_DOUBLE_EQ(shared(work, blocks(3.0), device).kernel.by, 2.0);
  EXPECT_DOUBLE_EQ(shared(work, blocks(64.0), device).kernel.by, 2.0);
}

TEST(Share, KernelWithoutTilesLosesTheTakenCores) {
  chip::Device device = gpu();
  device.memory.latency = Seconds(0.0);
  const Work work{.op = chip::LibraryOperator::kActivation, .vector_ops = 1e9, .other = Bytes(1e3)};

  const Slowdown slowed = shared(work, blocks(32.0), device).kernel;

  EXPECT_EQ(slowed.most, SlowdownCause::kCores);
  EXPECT_NEAR(slowed.by, 132.0 / 100.0, 1e-12);
}

TEST(Share, AMemoryBoundKernelSlowsAFewBlocksMoreThanTheyIt) {
  const Work work{.op = chip::LibraryOperator::kAdd, .other = Bytes(1e9)};

  const Shared result = shared(work, blocks(1.0), gpu());

  EXPECT_LT(result.kernel.by, 1.05);
  EXPECT_GT(result.stream.by, 1.5);
  EXPECT_EQ(result.stream.most, SlowdownCause::kMemory);
}

TEST(Share, KernelIsSerializedIfAllCoresAreTaken) {
  const Work work{.op = chip::LibraryOperator::kAdd, .other = Bytes(1e9)};

  const Shared result = shared(work, blocks(132.0), gpu());
  const Ends ends = ends_of(Seconds(3.0), Seconds(4.0), result);

  EXPECT_EQ(result.kernel.most, SlowdownCause::kSerialized);
  EXPECT_DOUBLE_EQ(ends.stream.si(), 4.0);
  EXPECT_DOUBLE_EQ(ends.kernel.si(), 7.0);
}

// The clock that large GEMMs lower is the stream's too.
TEST(Share, AStreamFollowsTheClock) {
  chip::Device device = gpu();
  device.cores.sustained = 0.5;
  device.memory.waiting = Seconds(0.0);
  const Work work = gemm(8192.0, 8192.0, 8192.0);

  const Slowdown slowed = shared(work, blocks(1.0), device).stream;

  EXPECT_EQ(slowed.most, SlowdownCause::kClock);
  EXPECT_LT(cost(work, device).clock, 0.9);
  EXPECT_NEAR(slowed.by, 1.0 / cost(work, device).clock, 1e-9);
}

// 10 s of work at half speed beside a stream of 4 s at 4/5: the stream ends at 5 s, with 2.5 s of
// the work done.
TEST(EndsOf, TheLaterOneContinuesAtFullSpeed) {
  const Shared result{.kernel = {.by = 2.0}, .stream = {.by = 1.25}};

  const Ends stream_first = ends_of(Seconds(10.0), Seconds(4.0), result);
  const Ends kernel_first = ends_of(Seconds(2.0), Seconds(10.0), result);

  EXPECT_DOUBLE_EQ(stream_first.stream.si(), 5.0);
  EXPECT_DOUBLE_EQ(stream_first.kernel.si(), 5.0 + 7.5);
  EXPECT_DOUBLE_EQ(kernel_first.kernel.si(), 4.0);
  EXPECT_DOUBLE_EQ(kernel_first.stream.si(), 4.0 + (10.0 - 4.0 / 1.25));
}

RC_GTEST_PROP(Share, NeitherIsFasterThanAloneAndFewerCoresNeverHelp, ()) {
  const chip::Device device = gpu();
  const double side = *rc::gen::inRange(64, 5000);
  const Work work = gemm(side, side, side);
  const Resident resident = blocks(*rc::gen::inRange(1, 133));

  const Shared result = shared(work, resident, device);

  RC_ASSERT(result.kernel.by >= 1.0);
  RC_ASSERT(result.stream.by >= 1.0 - 1e-9);
  const Shared more = shared(work, {resident.cores + 1.0, resident.alone}, device);
  RC_ASSERT(more.kernel.by >= result.kernel.by * (1.0 - 1e-9));
}

}  // namespace
}  // namespace cairn::kernel
