#include "cairn/kernel/loaded_memory.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace cairn::kernel {
namespace {

constexpr chip::DeviceMemory kMemory{
    .bandwidth = BytesPerSecond(1e12), .latency = Seconds(500e-9), .waiting = Seconds(100e-9)};

TEST(LatencyFactor, IsOneWhenIdleAndAddsWaitingAtHalfTheBandwidth) {
  EXPECT_DOUBLE_EQ(latency_factor(kMemory, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(latency_factor(kMemory, 0.5), 1.0 + 100.0 / 500.0);
}

// sum = limit / f = u B with f = 1 + (w / l) u / (1 - u).
TEST(SettledLatency, OfOneUserIsTheFactorAtItsRate) {
  const std::array<MemoryUser, 1> one{
      MemoryUser{.asks = BytesPerSecond(9e12), .in_flight = BytesPerSecond(1.2e12)}};

  const double factor = settled_latency(kMemory, one);

  const double used = one[0].rate(factor) / kMemory.bandwidth;
  EXPECT_NEAR(factor, latency_factor(kMemory, used), 1e-9);
  EXPECT_LT(used, 1.0);
}

TEST(SettledLatency, WithoutWaitingSharesInProportionAtFullBandwidth) {
  chip::DeviceMemory memory = kMemory;
  memory.waiting = Seconds(0.0);
  const auto users = [](double one, double other) {
    return std::array<MemoryUser, 2>{
        MemoryUser{.asks = BytesPerSecond(one), .in_flight = BytesPerSecond(one)},
        MemoryUser{.asks = BytesPerSecond(other), .in_flight = BytesPerSecond(other)}};
  };

  EXPECT_EQ(settled_latency(memory, users(0.3e12, 0.7e12)), 1.0);
  EXPECT_NEAR(settled_latency(memory, users(1.0e12, 0.5e12)), 1.5, 1e-9);
}

RC_GTEST_PROP(SettledLatency, RespectsTheBandwidthAndNeverFallsWithMoreUsers, ()) {
  const auto any = []() {
    return MemoryUser{.asks = BytesPerSecond(1e9 * *rc::gen::inRange(1, 3000)),
                      .in_flight = BytesPerSecond(1e9 * *rc::gen::inRange(1, 3000))};
  };
  const std::array<MemoryUser, 2> users{any(), any()};

  const double factor = settled_latency(kMemory, users);

  RC_ASSERT(users[0].rate(factor) + users[1].rate(factor) <= kMemory.bandwidth);
  RC_ASSERT(factor >= settled_latency(kMemory, std::span(users).first(1)));
}

}  // namespace
}  // namespace cairn::kernel
