#include "cairn/kernel/attention.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cairn/kernel/cost.hpp"
#include "cairn/kernel/test_support/any_device.hpp"

namespace cairn::kernel {
namespace {

using model::Attention;

constexpr double kForward = 2.0;
constexpr double kBackward = 5.0;

// 10 cores with one unit of 8 x 8 x 1; memory is never the bottleneck.
chip::Device bare_cores() {
  chip::Device device;
  device.cores = {.count = 10.0,
                  .frequency = Hertz(1e9),
                  .rows = 8.0,
                  .columns = 8.0,
                  .matrix = {.fp16 = Flops(2.0 * 64)},
                  .vector = Flops(32.0)};
  device.levels = {{.name = "core", .scope = chip::Scope::kBundle, .capacity = Bytes(1e5)},
                   {.name = "l2", .scope = chip::Scope::kGlobal, .capacity = Bytes(1e6)}};
  device.memory = {.capacity = Bytes(1e12), .bandwidth = BytesPerSecond(1e18)};
  device.tiles.sides = {64.0};
  return device;
}

Cost cost_of(const Attention& attention, const chip::Device& device) {
  return cost(work_of(attention, chip::Precision::kFp16), device);
}

// 2 heads of 5 tiles are one wave. A tile visits 5 parts of 64 keys, each with two GEMMs of
// 64 x 64 x 32 at 64 MACs per cycle and 64 x 64 scores of 3 operations and an exponential.
TEST(Attention, OneTilePerCoreTakesTheTimeOfATile) {
  const Attention attention{.heads = 2, .queries = 320, .keys = 320, .width = 32};
  const double products = 2.0 * 64 * 64 * 32 / 64;
  const double scores = 64.0 * 64 * (3.0 + kOpsOfExponential) / 32;

  const Cost one = cost_of(attention, bare_cores());

  EXPECT_NEAR(one.time.si(), 5.0 * (products + scores) / 1e9, 1e-15);
  EXPECT_EQ(to_text(one.bound_by), "compute");
}

// The i-th of 5 tiles visits i parts: three on average, five for the longest. 100 tiles on 10 cores
// are 10 average ones each, and the last to start is a longest one while 9 cores idle:
// 30 + 5 (1 - 1/10) parts of 50. A single wave takes as long as its longest tile.
TEST(Attention, CausalVisitsHalfThePartsAndTheDiagonal) {
  const auto waves = [](double heads, bool causal) {
    return cost_of({.heads = heads, .queries = 320, .keys = 320, .width = 32, .causal = causal},
                   bare_cores())
        .time.si();
  };

  EXPECT_NEAR(waves(20.0, true), 34.5 / 50.0 * waves(20.0, false), 1e-12);
  EXPECT_NEAR(waves(2.0, true), waves(2.0, false), 1e-15);
}

// The first of 5 tiles visits one part, the second two; the others visit the three that hold their
// last 128 keys: 2.4 on average. 100 tiles on 10 cores: 24 + 3 (1 - 1/10) parts of 50.
TEST(Attention, SlidingVisitsThePartsOfItsWindow) {
  const auto waves = [](double window) {
    return cost_of({.heads = 20,
                    .queries = 320,
                    .keys = 320,
                    .width = 32,
                    .causal = true,
                    .window = window},
                   bare_cores())
        .time.si();
  };

  EXPECT_NEAR(waves(128.0), (24.0 + 2.7) / 34.5 * waves(0.0), 1e-12);
  EXPECT_NEAR(waves(320.0), waves(0.0), 1e-15);
}

TEST(Attention, AWiderWindowIsNeverFaster) {
  for (const double products : {kForward, kBackward}) {
    Seconds before(0.0);
    for (double window = 64.0; window <= 4096.0; window *= 2.0) {
      const Seconds time = cost_of({.samples = 10,
                                    .heads = 10,
                                    .queries = 4096,
                                    .keys = 4096,
                                    .width = 32,
                                    .products = products,
                                    .causal = true,
                                    .window = window},
                                   bare_cores())
                               .time;
      EXPECT_LT(before, time);
      before = time;
    }
  }
}

TEST(Attention, TimeIsLinearInHeadsAndQuadraticInSteps) {
  const chip::Device device = bare_cores();
  const auto time = [&](double samples, double heads, double steps, double products, bool causal) {
    return cost_of({.samples = samples,
                    .heads = heads,
                    .queries = steps,
                    .keys = steps,
                    .width = 32,
                    .products = products,
                    .causal = causal},
                   device)
        .time.si();
  };
  for (const double products : {kForward, kBackward}) {
    const double one = time(10.0, 10.0, 1024.0, products, false);
    EXPECT_NEAR(time(20.0, 10.0, 1024.0, products, false), 2.0 * one, 1e-9 * one);
    EXPECT_NEAR(time(10.0, 20.0, 1024.0, products, false), 2.0 * one, 1e-9 * one);
    EXPECT_NEAR(time(10.0, 10.0, 2048.0, products, false), 4.0 * one, 1e-9 * one);
    // 1/2 + 1 / (2 D) of the parts, D = 16, and 9/10 of a longest tile, of 160 tiles per core.
    EXPECT_NEAR(
        time(10.0, 10.0, 1024.0, products, true), (0.5 + 0.5 / 16 + 0.9 / 160) * one, 1e-9 * one);
  }
}

// Accumulators for two tiles, 4 x 64 x (64 + 32) bytes each. A part of a tile takes 4096 cycles of
// the matrix units and 1408 for its scores.
TEST(Attention, ScoresOverlapWithGemmsOfAnotherTile) {
  const auto time = [](double at_once, double products) {
    chip::Device device = bare_cores();
    device.tiles.at_once = at_once;
    return cost_of({.heads = 20, .queries = 320, .keys = 320, .width = 32, .products = products},
                   device)
        .time.si();
  };

  EXPECT_NEAR(time(1.0, kForward), 10.0 * 5.0 * (4096.0 + 1408.0) / 1e9, 1e-12);
  EXPECT_NEAR(time(2.0, kForward), 10.0 * 5.0 * 4096.0 / 1e9, 1e-12);
  EXPECT_DOUBLE_EQ(time(2.0, kBackward), time(1.0, kBackward));
}

// Tiles of 64 queries visit parts of 128 keys: 1, 1, 2, 2, ... 5 of them; a core has 100 tiles.
TEST(Attention, CausalVisitsWholeParts) {
  chip::Device device = bare_cores();
  device.tiles.sides = {64.0, 128.0};
  device.tiles.accumulators = Bytes(4.0 * 64 * (128 + 32));
  const auto waves = [&](bool causal) {
    return cost_of({.heads = 100, .queries = 640, .keys = 640, .width = 32, .causal = causal},
                   device)
        .time.si();
  };

  EXPECT_NEAR(waves(true), (100.0 * 3.0 + 0.9 * 5.0) / (100.0 * 5.0) * waves(false), 1e-12);
}

// Q, K, V and O of 16 heads, 1024 x 32 in fp16; K and V are streamed from L2 for each of 16 tiles.
TEST(Attention, ReadsMemoryOnceAndStreamsKeysFromL2PerTile) {
  const Attention attention{.heads = 16, .queries = 1024, .keys = 1024, .width = 32};
  const double map = 16.0 * 1024 * 32 * 2;
  const double rows = 16.0 * 1024 * 4;

  const Cost one = cost_of(attention, bare_cores());

  EXPECT_DOUBLE_EQ(one.memory.si(), 4.0 * map + rows);
  EXPECT_DOUBLE_EQ(one.levels[1].bytes.si(), 2.0 * map + rows + 16.0 * 2.0 * map);
}

// 10 tiles in flight share the streamed keys: 16 tiles of a head stream them twice.
TEST(Attention, RereadsKeysThatDoNotFitOnChip) {
  const Attention attention{.heads = 16, .queries = 1024, .keys = 1024, .width = 32};
  const double map = 16.0 * 1024 * 32 * 2;
  chip::Device device = bare_cores();
  device.levels[1].capacity = Bytes(1024.0);

  EXPECT_DOUBLE_EQ(cost_of(attention, device).memory.si(), 6.0 * map + 16.0 * 1024 * 4);
}

// Backward, dQ is accumulated once per tile of keys, and read when it is complete.
TEST(Attention, BackwardAccumulatesQueryGradientsOutsideTheCores) {
  const Attention attention{
      .heads = 2, .queries = 320, .keys = 320, .width = 32, .products = kBackward};
  const double elements = 2.0 * 320 * 32;
  const double once = 8.0 * 2.0 * elements + 2.0 * 320 * 4;
  const Cost one = cost_of(attention, bare_cores());

  EXPECT_DOUBLE_EQ(one.memory.si(), once);
  EXPECT_DOUBLE_EQ(one.levels[1].bytes.si(),
                   once + 4.0 * 2.0 * 2.0 * elements + 6.0 * 4.0 * elements);
}

Attention any_attention() {
  const auto in = [](int least, int most) { return 1.0 * *rc::gen::inRange(least, most + 1); };
  const double steps = in(1, 3000);
  return {.samples = in(1, 20),
          .heads = in(1, 40),
          .queries = steps,
          .keys = steps,
          .width = in(1, 256),
          .products = *rc::gen::element(kForward, kBackward),
          .causal = *rc::gen::arbitrary<bool>()};
}

RC_GTEST_PROP(AttentionProperty, IsNeverBelowTheRoofline, ()) {
  const chip::Device device = any_device();
  const Work work = work_of(any_attention(), chip::Precision::kFp16);

  const Cost one = cost(work, device);

  RC_ASSERT(one.time.si() >= work.macs() / device.macs_per_second(work.precision) * (1 - 1e-12));
  RC_ASSERT(one.memory >= work.bytes());
  RC_ASSERT(one.levels[2].bytes >= work.bytes());
  RC_ASSERT(one.utilization <= 1.0 + 1e-12);
}

RC_GTEST_PROP(AttentionProperty, MoreOfAnythingIsNeverSlower, ()) {
  const chip::Device device = any_device();
  const Work work = work_of(any_attention(), chip::Precision::kFp16);
  const Seconds time = cost(work, device).time;
  const auto with = [&](auto change) {
    chip::Device changed = device;
    change(changed);
    return cost(work, changed).time;
  };

  RC_ASSERT(with([](chip::Device& d) { d.memory.bandwidth *= 1.5; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.cores.frequency *= 1.5; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.cores.vector *= 2.0; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.levels[2].utilization *= 1.3; }) <= time);
  RC_ASSERT(with([](chip::Device& d) { d.levels[2].capacity *= 1.3; }) <= time);
}

RC_GTEST_PROP(AttentionProperty, CausalIsNeverSlower, ()) {
  const chip::Device device = any_device();
  Attention attention = any_attention();
  attention.causal = true;
  const Seconds causal = cost_of(attention, device).time;
  attention.causal = false;

  RC_ASSERT(causal <= cost_of(attention, device).time);
}

}  // namespace
}  // namespace cairn::kernel
