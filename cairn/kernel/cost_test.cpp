#include "cairn/kernel/cost.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cairn/kernel/cache.hpp"

namespace cairn::kernel {
namespace {

chip::Device small_array() {
  chip::Device device = chip::pe_array(1024.0, 125.0, Hertz(1e9), Bytes(32.0 * 1024));
  device.memory = {.capacity = Bytes(16e9), .bandwidth = BytesPerSecond(900e9)};
  return device;
}

Work product(double m, double n, double k) {
  constexpr double kElement = 2.0;
  return {.contraction = model::Contraction{.m = m, .n = n, .k = k},
          .left = Bytes(m * k * kElement),
          .right = Bytes(k * n * kElement),
          .other = Bytes(m * n * kElement)};
}

// 128,000 outputs, 125 on each PE: one wave of k cycles.
TEST(Cost, OfAMatrixThatFillsTheArrayOnceIsKCycles) {
  chip::Device device = small_array();
  device.memory.bandwidth = BytesPerSecond(1e18);

  const Cost one = cost(product(1024.0, 125.0, 1000.0), device);

  EXPECT_DOUBLE_EQ(one.time.si(), 1000.0 / 1e9);
  EXPECT_DOUBLE_EQ(one.utilization, 1.0);
  EXPECT_EQ(one.bound_by, BoundBy::kCompute);
}

// One output more than the array holds costs a whole wave more, or longer tiles.
TEST(Cost, OfFewOutputsLeavesPesIdle) {
  chip::Device device = small_array();
  device.memory.bandwidth = BytesPerSecond(1e18);

  const Cost few = cost(product(64.0, 100.0, 1000.0), device);

  // 6,400 outputs on 128,000 MACs.
  EXPECT_DOUBLE_EQ(few.time.si(), 1000.0 / 1e9);
  EXPECT_DOUBLE_EQ(few.utilization, 0.05);
}

TEST(Cost, OfAMatrixTimesAVectorIsTheTimeToReadTheMatrix) {
  const chip::Device device = small_array();
  const Work work = product(1.0, 4096.0, 4096.0);

  const Cost one = cost(work, device);

  EXPECT_DOUBLE_EQ(one.time.si(), (work.bytes() / device.memory.bandwidth).si());
  EXPECT_EQ(one.bound_by, BoundBy::kMemoryBandwidth);
}

TEST(Cost, WithAGivenUtilizationIsThatPartOfThePeak) {
  chip::Device device = small_array();
  device.cores.fixed_utilization = 0.5;

  const Cost one = cost(product(4096.0, 4096.0, 4096.0), device);

  EXPECT_DOUBLE_EQ(one.compute.si(), 4096.0 * 4096 * 4096 / (0.5 * 128e12));
}

TEST(Cost, OfElementsIsTheirBytesOverTheBandwidthPlusTheLatency) {
  chip::Device device = small_array();
  device.memory.latency = Seconds(100e-9);

  const Cost one = cost({.vector_ops = 1e6, .other = Bytes(4e6)}, device);

  EXPECT_DOUBLE_EQ(one.time.si(), 4e6 / 900e9 + 100e-9);
}

double side() {
  return static_cast<double>(*rc::gen::inRange(1, 5000));
}

RC_GTEST_PROP(CostProperty, IsNeverBelowTheRoofline, ()) {
  const chip::Device device = small_array();
  const Work work = product(side(), side(), side());

  const Cost one = cost(work, device);

  RC_ASSERT(one.time.si() >= work.macs() / device.macs_per_second(work.precision) * (1 - 1e-12));
  RC_ASSERT(one.time.si() >= (work.bytes() / device.memory.bandwidth).si() * (1 - 1e-12));
  RC_ASSERT(one.memory >= work.bytes());
  RC_ASSERT(one.utilization <= 1.0 + 1e-12);
}

RC_GTEST_PROP(CostProperty, MoreBandwidthOrAFasterClockIsNeverSlower, ()) {
  const chip::Device device = small_array();
  const Work work = product(side(), side(), side());
  chip::Device wider = device;
  wider.memory.bandwidth = device.memory.bandwidth * 1.5;
  chip::Device faster = device;
  faster.cores.frequency = device.cores.frequency * 1.5;

  RC_ASSERT(cost(work, wider).time <= cost(work, device).time);
  RC_ASSERT(cost(work, faster).time <= cost(work, device).time);
}

RC_GTEST_PROP(CostProperty, TheCacheAnswersTheSame, ()) {
  Cache cache(small_array());
  const Work work = product(side(), side(), side());

  const Cost first = cache.cost(work);
  const Cost again = cache.cost(work);

  RC_ASSERT(first.time == cost(work, small_array()).time);
  RC_ASSERT(first.time == again.time);
}

}  // namespace
}  // namespace cairn::kernel
