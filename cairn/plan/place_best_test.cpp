#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "cairn/comm/estimate.hpp"
#include "cairn/comm/groups.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/place.hpp"
#include "cairn/plan/test_support/strategies.hpp"
#include "cairn/platform/parse.hpp"

namespace cairn::plan {
namespace {

platform::Platform platform_of(const std::string& text) {
  return platform::read_platform(text, {});
}

model::Graph network() {
  const double batch = 96.0;
  model::Net net("perceptron", batch);
  auto x = net.input("x", {.samples = batch, .channels = 64});
  for (const char* name : {"fc1", "fc2", "fc3"}) {
    x = net.activation("relu", net.fully_connected(name, x, 192));
  }
  return with_backward_pass(std::move(net).take());
}

Plan plan_of(const Strategy& strategy) {
  return *parallelize(network(), strategy, *make_mesh(strategy, devices_of(strategy)));
}

// Exchange by exchange: what each takes alone.
Seconds communication_time(const Plan& plan,
                           const Placement& placement,
                           const platform::Platform& platform) {
  const comm::Layout layout = comm::make_layout(platform, placement);
  const std::uint32_t count = plan.mesh.shards_of_stage();
  Seconds sum(0.0);
  for (const Exchange& exchange : plan.exchanges) {
    comm::Schedule schedule;
    if (exchange.between_stages()) {
      std::vector<comm::Transfer> transfers;
      for (std::uint32_t i = 0; i < count; ++i) {
        transfers.push_back({exchange.stage * count + i, exchange.to_stage * count + i});
      }
      schedule = comm::schedule_of_transfers(transfers);
    } else {
      const auto& algorithm = exchange.op == comm::Op::kAllToAll ? comm::kDirect : comm::kRing;
      schedule = comm::schedule_in_groups({.op = exchange.op, .size = Bytes(1.0)},
                                          layout,
                                          plan.mesh.groups(exchange.axes, exchange.stage),
                                          algorithm);
    }
    sum += comm::estimate(schedule, layout).time(Bytes(2.0 * exchange.elements));
  }
  return sum;
}

RC_GTEST_PROP(PlaceProperty, NoOtherOrderOfAxesTakesLess, ()) {
  Strategy strategy = any_strategy();
  strategy.micro_batches = 1;
  const std::uint32_t devices = devices_of(strategy);
  std::vector<std::uint32_t> widths;
  for (std::uint32_t width = 1; width <= devices; ++width) {
    if (devices % width == 0) {
      widths.push_back(width);
    }
  }
  const std::uint32_t width = *rc::gen::elementOf(widths);
  const platform::Platform platform =
      platform_of(fmt::format("{}:{}x{}@25GB/s,50GB/s,500ns,100ns",
                              *rc::gen::element(std::string("mesh"), std::string("torus")),
                              width,
                              devices / width));
  const Plan plan = plan_of(strategy);

  const Seconds chosen = communication_time(plan, *place(plan, strategy, platform), platform);

  for (const AxisOrder& order : axis_orders(plan.mesh)) {
    const Placement other = place_in_order(plan.mesh, order, platform.dims);
    RC_ASSERT(chosen <= communication_time(plan, other, platform) * (1.0 + 1e-9));
  }
}

TEST(Place, InTheOrderThatTheStrategySays) {
  Strategy strategy{
      .parallelism = Parallelism::kRowColumn, .kernel1 = 2, .kernel2 = 3, .data = 2, .stages = 2};
  strategy.order = {Axis::kData, Axis::kStage, Axis::kKernel1, Axis::kKernel2};
  const platform::Platform platform = platform_of("mesh:4x6@25GB/s,500ns");
  const Plan plan = plan_of(strategy);

  const AxisOrder order{Axis::kData, Axis::kStage, Axis::kKernel1, Axis::kKernel2};
  EXPECT_EQ(*place(plan, strategy, platform), place_in_order(plan.mesh, order, platform.dims));
}

TEST(Place, AxesOfOneShardNeedNotBeSaid) {
  Strategy strategy{.kernel1 = 1, .kernel2 = 1, .data = 4, .stages = 2};
  strategy.order = {Axis::kStage, Axis::kData};
  const platform::Platform platform = platform_of("mesh:2x4@25GB/s,500ns");
  const Plan plan = plan_of(strategy);

  // Stages are neighbours along the first dimension.
  const Placement placement = *place(plan, strategy, platform);
  EXPECT_EQ(placement, (Placement{0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST(Place, WhereTheStrategySays) {
  Strategy strategy{.kernel1 = 1, .kernel2 = 1, .data = 3};
  strategy.placement = {7, 0, 3};

  EXPECT_EQ(*place(plan_of(strategy), strategy, platform_of("ring:8@25GB/s,500ns")),
            (Placement{7, 0, 3}));
}

TEST(Place, WhatIsNoPlacementIsInfeasible) {
  const platform::Platform platform = platform_of("mesh:4x2@25GB/s,500ns");
  Strategy strategy{.kernel1 = 1, .kernel2 = 1, .data = 4, .stages = 2};
  const Plan plan = plan_of(strategy);
  const auto refused = [&](const std::vector<Axis>& order,
                           const std::vector<std::uint32_t>& placement) {
    strategy.order = order;
    strategy.placement = placement;
    const auto placed = place(plan, strategy, platform);
    return placed ? std::string() : placed.reason().limit + ": " + placed.reason().detail;
  };

  EXPECT_EQ(refused({}, {0, 1, 2}), "placement: 3 devices for 8 shards");
  EXPECT_EQ(refused({}, {0, 1, 2, 3, 4, 5, 6, 6}), "placement: device 6 has two shards");
  EXPECT_EQ(refused({}, {0, 1, 2, 3, 4, 5, 6, 8}), "placement: there is no device 8 among 8");
  EXPECT_EQ(refused({Axis::kData}, {}), "order: does not say where p comes");
  EXPECT_EQ(refused({Axis::kData, Axis::kStage, Axis::kData}, {}), "order: axis d is said twice");
  EXPECT_EQ(refused({Axis::kData, Axis::kStage}, {0, 1, 2, 3, 4, 5, 6, 7}),
            "placement: both an order of axes and the device of each shard");
}

}  // namespace
}  // namespace cairn::plan
