#include "cairn/kernel/last_level_cache.hpp"

#include <gtest/gtest.h>

#include "cairn/kernel/test_support/products.hpp"
#include "cairn/model/net.hpp"

namespace cairn::kernel {
namespace {

constexpr Bytes kElement(2.0);

// A device whose outermost level retains `bytes`.
chip::Device retaining(double bytes) {
  chip::Device device;
  device.levels = {
      {.name = "l2", .scope = chip::Scope::kGlobal, .capacity = Bytes(2.0 * bytes), .keeps = 0.5}};
  return device;
}

// Two layers of 10 x 10 on 100 samples: activations of 2,000 bytes, weights of 200.
model::Graph two_layers() {
  model::Net net("two", 100.0);
  const auto x = net.input_from_below("x", {.samples = 100.0, .channels = 10.0});
  net.fully_connected("b", net.fully_connected("a", x, 10.0), 10.0);
  return std::move(net).take();
}

TEST(LastLevelCache, FindsOutputsOfThePreviousOperator) {
  const model::Graph graph = two_layers();
  LastLevelCache cache(graph, retaining(4200.0), kElement);
  EXPECT_EQ(cache.use(graph.operators[0]), Bytes(0.0));
  EXPECT_EQ(cache.use(graph.operators[1]), Bytes(2000.0));
  EXPECT_EQ(cache.use(graph.operators[1]), Bytes(2200.0));  // repeated: its weight is cached too
}

TEST(LastLevelCache, EvictsLeastRecentlyUsed) {
  const model::Graph graph = two_layers();
  LastLevelCache small(graph, retaining(1999.0), kElement);
  small.use(graph.operators[0]);
  EXPECT_EQ(small.use(graph.operators[1]), Bytes(0.0));  // no activation fits
  chip::Device nothing = retaining(4200.0);
  nothing.levels[0].keeps = 0.0;
  LastLevelCache none(graph, nothing, kElement);
  none.use(graph.operators[0]);
  EXPECT_EQ(none.use(graph.operators[1]), Bytes(0.0));
}

TEST(LastLevelCache, RepeatedWorkIsCachedAsAWholeOrNotAtAll) {
  const Work work = gemm(10.0, 10.0, 10.0);  // 600 bytes
  EXPECT_EQ(repeated(work, retaining(600.0)).held, Bytes(600.0));
  EXPECT_EQ(repeated(work, retaining(599.0)).held, Bytes(0.0));
}

}  // namespace
}  // namespace cairn::kernel
