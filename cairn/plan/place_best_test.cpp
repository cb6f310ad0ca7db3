#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/exchange_request.hpp"
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

// A platform and its collectives.
struct Network {
  explicit Network(platform::Platform of, comm::CollectivePolicy with = {})
      : platform(std::move(of)), policy(std::move(with)) {}

  Network(const Network&) = delete;  // the router points to the platform
  Network& operator=(const Network&) = delete;

  Feasible<Placement> place(const Plan& plan, const Strategy& strategy) {
    return plan::place(plan, strategy, realizer);
  }

  platform::Platform platform;
  comm::CollectivePolicy policy;
  comm::Endpoint endpoint{};
  platform::Router router{platform};
  comm::Realizer realizer{router, endpoint, policy};
};

// Sum of the times of all exchanges, each alone.
Seconds communication_time(const Plan& plan, const Placement& placement, Network& network) {
  const comm::GroupLayout layout = comm::make_group_layout(network.platform, placement);
  Seconds sum(0.0);
  for (const Exchange& exchange : plan.exchanges) {
    const ExchangeKind kind{exchange.op, exchange.axes, exchange.stage, exchange.to_stage};
    sum += network.realizer
               .estimate(request_of(kind, Bytes(2.0 * exchange.elements), plan.mesh, layout))
               ->estimate;
  }
  return sum;
}

RC_GTEST_PROP(PlaceProperty, NoOtherOrderOfAxesIsFaster, ()) {
  Strategy strategy = any_strategy();
  strategy.micro_batches = 1;
  strategy.virtual_stages = 1;
  const std::uint32_t devices = devices_of(strategy);
  std::vector<std::uint32_t> widths;
  for (std::uint32_t width = 1; width <= devices; ++width) {
    if (devices % width == 0) {
      widths.push_back(width);
    }
  }
  const std::uint32_t width = *rc::gen::elementOf(widths);
  // Without latency, exchanges of one kind take as long as as many of their mean size.
  Network network(
      platform_of(fmt::format("{}:{}x{}@25GB/s,50GB/s",
                              *rc::gen::element(std::string("mesh"), std::string("torus")),
                              width,
                              devices / width)),
      *rc::gen::arbitrary<bool>() ? comm::CollectivePolicy{}
                                  : comm::reductions_by({.algorithm = &comm::kRing}));
  const Plan plan = plan_of(strategy);

  const Seconds chosen = communication_time(plan, *network.place(plan, strategy), network);

  for (const AxisOrder& order : axis_orders(plan.mesh)) {
    for (const Turns turns : {Turns::kBack, Turns::kNever}) {
      const Placement other = place_in_order(plan.mesh, order, network.platform.dims, turns);
      RC_ASSERT(chosen <= communication_time(plan, other, network) * (1.0 + 1e-6));
    }
  }
}

TEST(Place, UsesTheGivenOrder) {
  Strategy strategy{.parallelism = Parallelism::kRowColumn,
                    .tensor_rows = 2,
                    .tensor_columns = 3,
                    .data = 2,
                    .stages = 2};
  strategy.order = {Axis::kData, Axis::kPipeline, Axis::kTensor, Axis::kTensorColumns};
  Network network(platform_of("mesh:4x6@25GB/s,500ns"));
  const Plan plan = plan_of(strategy);

  const AxisOrder order{Axis::kData, Axis::kPipeline, Axis::kTensor, Axis::kTensorColumns};
  const Placement placed = *network.place(plan, strategy);
  EXPECT_TRUE(placed == place_in_order(plan.mesh, order, network.platform.dims, Turns::kBack) ||
              placed == place_in_order(plan.mesh, order, network.platform.dims, Turns::kNever));
}

TEST(Place, OrderMayOmitAxesOfSizeOne) {
  Strategy strategy{.tensor_rows = 1, .tensor_columns = 1, .data = 4, .stages = 2};
  strategy.order = {Axis::kPipeline, Axis::kData};
  Network network(platform_of("mesh:2x4@25GB/s,500ns"));
  const Plan plan = plan_of(strategy);

  // Stages are neighbours along the first dimension.
  const Placement placement = *network.place(plan, strategy);
  EXPECT_EQ(placement, (Placement{0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST(Place, UsesTheGivenPlacement) {
  Strategy strategy{.tensor_rows = 1, .tensor_columns = 1, .data = 3};
  strategy.placement = {7, 0, 3};

  Network network(platform_of("ring:8@25GB/s,500ns"));
  EXPECT_EQ(*network.place(plan_of(strategy), strategy), (Placement{7, 0, 3}));
}

TEST(Place, InvalidPlacementsAndOrdersAreInfeasible) {
  Network network(platform_of("mesh:4x2@25GB/s,500ns"));
  Strategy strategy{.tensor_rows = 1, .tensor_columns = 1, .data = 4, .stages = 2};
  const Plan plan = plan_of(strategy);
  const auto refused = [&](const std::vector<Axis>& order,
                           const std::vector<std::uint32_t>& placement) {
    strategy.order = order;
    strategy.placement = placement;
    const auto placed = network.place(plan, strategy);
    return placed ? std::string() : placed.reason().limit() + ": " + placed.reason().detail;
  };

  EXPECT_EQ(refused({}, {0, 1, 2}), "placement: 3 devices for 8 shards");
  EXPECT_EQ(refused({}, {0, 1, 2, 3, 4, 5, 6, 6}), "placement: device 6 has two shards");
  EXPECT_EQ(refused({}, {0, 1, 2, 3, 4, 5, 6, 8}),
            "placement: device 8 does not exist, the platform has 8");
  EXPECT_EQ(refused({Axis::kData}, {}), "order: axis pipeline is missing");
  EXPECT_EQ(refused({Axis::kData, Axis::kPipeline, Axis::kData}, {}),
            "order: axis data is given twice");
  EXPECT_EQ(refused({Axis::kData, Axis::kPipeline}, {0, 1, 2, 3, 4, 5, 6, 7}),
            "placement: cannot be combined with order");
}

}  // namespace
}  // namespace cairn::plan
