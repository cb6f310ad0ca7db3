#include "cairn/kernel/cost.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cairn/kernel/last_level_cache.hpp"
#include "cairn/kernel/test_support/products.hpp"
#include "cairn/kernel/test_support/small_array.hpp"

namespace cairn::kernel {
namespace {

// 128,000 outputs, 125 on each PE: one wave of k cycles.
TEST(Cost, OneFullWaveTakesKCycles) {
  chip::Device device = small_array();
  device.memory.bandwidth = BytesPerSecond(1e18);

  const Cost one = cost(gemm(1024.0, 125.0, 1000.0), device);

  EXPECT_DOUBLE_EQ(one.time.si(), 1000.0 / 1e9);
  EXPECT_DOUBLE_EQ(one.utilization, 1.0);
  EXPECT_EQ(to_text(one.bound_by), "compute");
}

// A GPU with the figures of its data sheet, with and without those of a white paper.
TEST(Cost, DataSheetDeviceReachesItsPeak) {
  for (const char* levels :
       {"",
        "levels: [{name: l2, scope: global, capacity: 50 MB}]\n",
        "levels:\n"
        "  - {name: register, scope: mcu, capacity: 256 KiB}\n"
        "  - {name: shared, scope: bundle, capacity: 227 KiB, per_cycle: 16896 B}\n"
        "  - {name: l2, scope: global, capacity: 50 MB}\n"}) {
    const chip::Device device = chip::device_of(parse_config(
        std::string("cores: {count: 132, frequency: 1830 MHz, vector: 128 flop,\n"
                    "        matrix: {fp64: 256 flop, fp16: 4096 flop, fp8: 8192 flop}}\n"
                    "memory: {capacity: 80 GB, bandwidth: 3.35 TB/s}\n") +
            levels,
        "sheet.yaml"));
    SCOPED_TRACE(levels);

    EXPECT_GT(cost(gemm(8192.0, 8192.0, 8192.0), device).utilization, 0.97);
    EXPECT_GT(cost(gemm(4096.0, 51200.0, 1024.0), device).utilization, 0.97);
    EXPECT_EQ(to_text(cost(gemm(4096.0, 4096.0, 64.0), device).bound_by), "memory bandwidth");
  }
}

// Steps of a recurrent layer are sequential.
TEST(Cost, RecurrentStepsCostOneStepEach) {
  const chip::Device device = small_array();
  const Work one = gemm(64.0, 512.0, 512.0);
  Work ten = one;
  ten.turns = 10.0;
  for (Bytes* bytes : {&ten.left, &ten.right, &ten.other}) {
    *bytes = *bytes * ten.turns;
  }

  EXPECT_DOUBLE_EQ(ten.macs(), 10.0 * one.macs());
  EXPECT_DOUBLE_EQ(cost(ten, device).time.si(), 10.0 * cost(one, device).time.si());
  EXPECT_DOUBLE_EQ(cost(ten, device).memory.si(), 10.0 * cost(one, device).memory.si());
  EXPECT_DOUBLE_EQ(cost(ten, device).utilization, cost(one, device).utilization);
}

TEST(Cost, RecurrentStepsReadCachedWeightsOnce) {
  chip::Device device = small_array();
  device.levels = {
      {.name = "l2", .scope = chip::Scope::kGlobal, .capacity = Bytes(1e9), .keeps = 1.0}};
  Work ten = gemm(64.0, 512.0, 512.0);
  const Bytes result = ten.other;
  ten.turns = 10.0;
  for (Bytes* bytes : {&ten.left, &ten.right, &ten.other}) {
    *bytes = *bytes * ten.turns;
  }
  EXPECT_DOUBLE_EQ(cost(ten, device).memory.si(), 10.0 * result.si());
  device.levels[0].keeps = 1e-4;  // capacity for a state, not for a weight
  EXPECT_DOUBLE_EQ(cost(ten, device).memory.si(), (ten.right + ten.other).si());
  device.levels[0].keeps = 0.0;
  EXPECT_DOUBLE_EQ(cost(ten, device).memory.si(), ten.bytes().si());
}

// One output more than the array holds costs a whole wave more, or longer tiles.
TEST(Cost, FewOutputsLeavePesIdle) {
  chip::Device device = small_array();
  device.memory.bandwidth = BytesPerSecond(1e18);

  const Cost few = cost(gemm(64.0, 100.0, 1000.0), device);

  // 6,400 outputs on 128,000 MACs.
  EXPECT_DOUBLE_EQ(few.time.si(), 1000.0 / 1e9);
  EXPECT_DOUBLE_EQ(few.utilization, 0.05);
}

TEST(Cost, MatrixVectorTakesTheTimeToReadTheMatrix) {
  const chip::Device device = small_array();
  const Work work = gemm(1.0, 4096.0, 4096.0);

  const Cost one = cost(work, device);

  EXPECT_DOUBLE_EQ(one.time.si(), (work.bytes() / device.memory.bandwidth).si());
  EXPECT_EQ(to_text(one.bound_by), "memory bandwidth");
}

TEST(Cost, FixedUtilizationIsThatFractionOfThePeak) {
  chip::Device device = small_array();
  device.cores.fixed_utilization = 0.5;

  const Cost one = cost(gemm(4096.0, 4096.0, 4096.0), device);

  EXPECT_DOUBLE_EQ(one.compute.si(), 4096.0 * 4096 * 4096 / (0.5 * 128e12));
}

// Full utilization is eight times the sustained rate: half the clock, a quarter of the energy per
// MAC.
TEST(Cost, PowerLimitLowersTheClock) {
  chip::Device device = small_array();
  device.memory.bandwidth = BytesPerSecond(1e18);
  const Work work = gemm(1024.0, 125.0, 1000.0);
  const Seconds full = cost(work, device).time;

  device.cores.sustained = 1.0 / 8.0;
  EXPECT_NEAR(cost(work, device).time / full, 2.0, 1e-12);
  device.launch = full * 7.0;  // an eighth of the time, on average
  EXPECT_NEAR((cost(work, device).time - device.launch) / full, 1.0, 1e-12);
}

TEST(Cost, CachedOperandsNeedNoMainMemory) {
  chip::Device device = small_array();
  device.cores.frequency = Hertz(1e12);
  device.levels.push_back({.name = "l2",
                           .scope = chip::Scope::kGlobal,
                           .capacity = Bytes(10e6),
                           .bandwidth = BytesPerSecond(9000e9),
                           .keeps = 0.5});
  const Work work = gemm(1.0, 1000.0, 1000.0);  // 2 MB
  const Cost cold = cost(work, device);
  const Cost warm = cost(repeated(work, device), device);
  EXPECT_EQ(cold.memory, work.bytes());
  EXPECT_EQ(warm.memory, Bytes(0.0));
  EXPECT_EQ(cold.time, work.bytes() / device.memory.bandwidth);
  EXPECT_EQ(warm.time, warm.levels[1].time);

  const Work larger = gemm(1.0, 2000.0, 2000.0);  // 8 MB
  EXPECT_EQ(cost(repeated(larger, device), device).time, cost(larger, device).time);
}

TEST(Cost, ElementwiseTakesBytesOverBandwidthPlusLatency) {
  chip::Device device = small_array();
  device.memory.latency = Seconds(100e-9);

  const Cost one = cost({.vector_ops = 1e6, .other = Bytes(4e6)}, device);

  EXPECT_DOUBLE_EQ(one.time.si(), 4e6 / 900e9 + 100e-9);
}

TEST(Cost, MinimumTimeIsHiddenBehindThroughput) {
  chip::Device device = small_array();
  device.kernels = {{.op = chip::LibraryOperator::kPool, .least = Seconds(5e-6)}};
  const auto time_of_bytes = [&](double bytes) {
    return cost({.op = chip::LibraryOperator::kPool, .other = Bytes(bytes)}, device).time.si();
  };
  EXPECT_DOUBLE_EQ(time_of_bytes(900.0), 5e-6);
  EXPECT_DOUBLE_EQ(time_of_bytes(4.4e6), 5e-6);
  EXPECT_DOUBLE_EQ(time_of_bytes(9e6), 1e-5);
}

double side() {
  return static_cast<double>(*rc::gen::inRange(1, 5000));
}

// A GPU: library tiles, split-K, every level with a bandwidth.
chip::Device small_gpu() {
  chip::Device device;
  device.cores = {.count = 20.0,
                  .frequency = Hertz(1e9),
                  .units = 4.0,
                  .rows = 8.0,
                  .columns = 4.0,
                  .matrix = {.fp16 = Flops(2048.0)},
                  .vector = Flops(64.0),
                  .dataflow = chip::Dataflow::kBest,
                  .utilization = 0.95};
  device.levels = {{.name = "register", .scope = chip::Scope::kMcu, .capacity = Bytes(65536.0)},
                   {.name = "shared",
                    .scope = chip::Scope::kBundle,
                    .capacity = Bytes(1e5),
                    .per_cycle = Bytes(20.0 * 128)},
                   {.name = "l2",
                    .scope = chip::Scope::kGlobal,
                    .capacity = Bytes(4e6),
                    .per_cycle = Bytes(1000.0),
                    .latency = Seconds(2e-7)}};
  device.memory = {.capacity = Bytes(16e9),
                   .bandwidth = BytesPerSecond(3e11),
                   .latency = Seconds(5e-7),
                   .utilization = 0.9};
  device.tiles = {.sides = {64.0, 128.0, 256.0},
                  .accumulators = Bytes(131072.0),
                  .at_once = 4.0,
                  .fill = Seconds(1e-6),
                  .splits = 8.0};
  device.launch = Seconds(4e-6);
  return device;
}

chip::Device any_of_three() {
  chip::Device any_sides = small_gpu();
  any_sides.tiles = {};
  return *rc::gen::element(small_array(), small_gpu(), any_sides);
}

RC_GTEST_PROP(CostProperty, IsNeverBelowTheRoofline, ()) {
  const chip::Device device = any_of_three();
  const Work work = gemm(side(), side(), side());

  const Cost one = cost(work, device);

  RC_ASSERT(one.time.si() >= work.macs() / device.macs_per_second(work.precision) * (1 - 1e-12));
  RC_ASSERT(one.time.si() >= (work.bytes() / device.memory.bandwidth).si() * (1 - 1e-12));
  RC_ASSERT(one.memory >= work.bytes());
  RC_ASSERT(one.utilization <= 1.0 + 1e-12);
}

// 3 x 7 tiles of 128 x 128 on 20 cores are two waves; 20 of them would be one.
TEST(Cost, OneTileTooManyIsOneMoreWave) {
  chip::Device device = small_gpu();
  device.tiles = {.sides = {128.0}, .fill = Seconds(1e-6)};
  const double tile = 128.0 * 128 * 4096 / 1024 / (0.95 * 1e9);

  EXPECT_DOUBLE_EQ(cost(gemm(512.0, 640.0, 4096.0), device).compute.si(), tile + 1e-6);
  EXPECT_DOUBLE_EQ(cost(gemm(384.0, 896.0, 4096.0), device).compute.si(), 2 * (tile + 1e-6));
}

// Two tiles use a tenth of the cores; with split-K of eight they use 16 of 20.
TEST(Cost, FewTilesUseSplitK) {
  chip::Device device = small_gpu();
  device.tiles.sides = {128.0};
  device.memory.bandwidth = BytesPerSecond(1e13);

  const Cost one = cost(gemm(128.0, 256.0, 65536.0), device);

  EXPECT_EQ(one.tiling.splits, 8.0);
  // Partial sums are written and read.
  const double operands = 2.0 * 65536 * (2.0 * 128 + 256);
  EXPECT_DOUBLE_EQ(one.levels[2].bytes.si(), operands + 2.0 * 128 * 256 + 2.0 * 8 * 4 * 128 * 256);
}

TEST(Cost, NamesTheLevelThatBoundsIt) {
  chip::Device device = small_gpu();
  device.levels[2].per_cycle = Bytes(100.0);

  const Cost one = cost(gemm(4096.0, 4096.0, 4096.0), device);

  EXPECT_EQ(to_text(one.bound_by), "l2 bandwidth");
  EXPECT_DOUBLE_EQ(one.time.si(), one.levels[2].time.si() + 5e-7 + 4e-6);
  EXPECT_EQ(to_text(cost(gemm(8.0, 8.0, 8.0), device).bound_by), "launch");
}

// An L2 of 4 MB holds 2 MB of 4096 x 256 weights while the rest is streamed: each operand once.
TEST(Cost, StationaryOperandOnChipReadsTheOtherOnce) {
  chip::Device device = small_gpu();
  const Work work = gemm(65536.0, 240.0, 4096.0);

  const Cost held = cost(work, device);
  device.cores.dataflow = chip::Dataflow::kNone;
  device.tiles = {.sides = {64.0}};
  const Cost not_held = cost(work, device);

  EXPECT_EQ(held.memory, work.bytes());
  // 1024 x 4 tiles, 20 at a time: 5 x 4 of them read the weights 205 times.
  EXPECT_EQ(not_held.memory, work.left + work.right * 205.0 + work.other);
}

TEST(Cost, EmptyWorkIsFree) {
  EXPECT_EQ(cost({}, small_gpu()).time, Seconds(0.0));
}

RC_GTEST_PROP(CostProperty, MoreOfAnythingIsNeverSlower, ()) {
  const chip::Device device = any_of_three();
  const Work work = gemm(side(), side(), side());
  const Seconds time = cost(work, device).time;
  const auto with = [&](auto change) {
    chip::Device changed = device;
    change(changed);
    return cost(work, changed).time;
  };

  RC_ASSERT(with([](chip::Device& d) { d.memory.bandwidth *= 1.5; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.cores.frequency *= 1.5; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.cores.count += 3.0; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.tiles.splits += 1.0; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.tiles.at_once += 1.0; }) <= time);
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    RC_ASSERT(with([i](chip::Device& d) { d.levels[i].capacity *= 1.3; }) <= time);
    RC_ASSERT(with([i](chip::Device& d) { d.levels[i].utilization *= 1.3; }) <= time);
  }
}

RC_GTEST_PROP(CostProperty, EveryLevelMovesAtLeastTheCompulsoryBytes, ()) {
  const chip::Device device = any_of_three();
  const Work work = gemm(side(), side(), side());

  const Cost one = cost(work, device);

  RC_ASSERT(one.memory >= work.bytes());
  for (std::size_t i = 0; i < device.levels.size(); ++i) {
    if (device.levels[i].scope == chip::Scope::kGlobal) {
      RC_ASSERT(one.levels[i].bytes >= work.bytes());
    } else if (i > 0) {  // the innermost is Eq. 5's
      RC_ASSERT(one.levels[i].bytes >= work.left + work.right);
    }
  }
}

}  // namespace
}  // namespace cairn::kernel
