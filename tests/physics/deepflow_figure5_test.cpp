// Fig. 5 of Ardalani et al., DeepFlow (2023): a three-layer feed-forward network with strategy
// RC-4-2-d3-p2 on 48 devices in a mesh of 8 x 6, axes laid out in the order k1, k2, p, d.
//
//      x: k1 = 0 1 2 3 | 0 1 2 3        rows y: p = 0, 1 for d = 0, then for d = 1, then for d = 2
//         k2 = 0       | 1
#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <utility>

#include "cairn/platform/route.hpp"
#include "tests/physics/step_support.hpp"

namespace cairn {
namespace {

using model::Operator;
using model::Pass;
using plan::Axis;

constexpr double kBatch = 96.0;
constexpr double kWidth = 768.0;

// Along x (k1 and k2) only latency counts, so that exchanges over them never contend; along y
// bandwidth counts too.
constexpr Seconds kLatencyX{100e-9};
constexpr Seconds kLatencyY{200e-9};
constexpr BytesPerSecond kBandwidthY{25e9};

platform::Platform mesh_8x6() {
  return platform::read_platform(parse_config("topology: mesh\n"
                                              "dims: [8, 6]\n"
                                              "bandwidth: [1000000 TB/s, 25 GB/s]\n"
                                              "latency: [100 ns, 200 ns]\n"
                                              "routing: dimension_ordered\n",
                                              "mesh.yaml"),
                                 {});
}

model::Graph network() {
  model::Net net("feed-forward", kBatch);
  auto x = net.input("x", {.samples = kBatch, .channels = kWidth});
  x = net.activation("relu1", net.fully_connected("fc1", x, kWidth));
  x = net.activation("relu2", net.fully_connected("fc2", x, kWidth));
  net.softmax("softmax", net.fully_connected("fc3", x, kWidth));
  return with_backward_pass(std::move(net).take());
}

plan::Strategy strategy() {
  plan::Strategy strategy{.parallelism = plan::Parallelism::kRowColumn,
                          .tensor_rows = 4,
                          .tensor_columns = 2,
                          .data = 3,
                          .stages = 2,
                          .cuts = {"fc3"}};
  strategy.order = {Axis::kTensor, Axis::kTensorColumns, Axis::kPipeline, Axis::kData};
  strategy.send_gradients = plan::SendGradients::kAsMade;
  return strategy;
}

constexpr Seconds kGemm{20e-6};  // forward
constexpr Seconds kDataGradient{50e-6};
constexpr Seconds kWeightGradient{60e-6};
constexpr Seconds kElementwise{5e-6};
constexpr Seconds kUpdate{1e-6};

Seconds time_of(const Operator& op) {
  if (op.pass == Pass::kUpdate) {
    return kUpdate;
  }
  if (!op.contraction) {
    return kElementwise;
  }
  return op.pass == Pass::kForward        ? kGemm
         : op.pass == Pass::kDataGradient ? kDataGradient
                                          : kWeightGradient;
}

const Step& step() {
  static const Step kStep =
      run_step(network(),
               strategy(),
               mesh_8x6(),
               time_of,
               {.collectives = comm::reductions_by({.algorithm = &comm::kRing})});
  return kStep;
}

// Hops along x and along y, in this order; the route goes along x first.
std::pair<std::size_t, std::size_t> hops(std::uint32_t from, std::uint32_t to) {
  const platform::Platform platform = mesh_8x6();
  const platform::Graph& graph = platform.graph;
  platform::Router router(platform);
  const platform::Route route = router.route(graph.devices()[from], graph.devices()[to]);
  std::pair<std::size_t, std::size_t> count{0, 0};
  for (const platform::Hop& hop : route.hops) {
    const std::uint32_t a = graph.node(graph.link(hop.link).from).ordinal;
    const std::uint32_t b = graph.node(graph.link(hop.link).to).ordinal;
    const bool along_x = a / 8 == b / 8;
    EXPECT_TRUE(!along_x || count.second == 0) << "along y before along x";
    ++(along_x ? count.first : count.second);
  }
  return count;
}

using Hops = std::pair<std::size_t, std::size_t>;

// Hops of the edges of a ring over `axis`, and of the edge that closes it.
std::pair<std::set<Hops>, std::set<Hops>> ring_edges(Axis axis) {
  const Step& here = step();
  std::pair<std::set<Hops>, std::set<Hops>> edges;
  for (std::uint32_t stage = 0; stage < 2; ++stage) {
    for (const auto& group : here.plan.mesh.groups(axis, stage)) {
      for (std::size_t i = 1; i < group.size(); ++i) {
        edges.first.insert(hops(here.placement[group[i - 1]], here.placement[group[i]]));
      }
      edges.second.insert(hops(here.placement[group.back()], here.placement[group.front()]));
    }
  }
  return edges;
}

// Each node of the graph becomes a 4 x 2 torus in a ring of 3, in every stage.
TEST(DeepFlowFigure5, CrossEdgesAreRingsOverK1K2AndDAndThePipeline) {
  const plan::Plan& plan = step().plan;
  std::set<std::tuple<Axis, std::uint32_t, std::uint32_t>> edges;  // axis, from stage, to stage
  for (const plan::Exchange& exchange : plan.exchanges) {
    for (const auto& [axis, name] : EnumNames<Axis>::kNames) {
      if (exchange.axes.has(axis)) {
        edges.insert({axis, exchange.stage, exchange.to_stage});
      }
    }
  }

  const std::set<std::tuple<Axis, std::uint32_t, std::uint32_t>> expected{
      {Axis::kTensor, 0, 0},
      {Axis::kTensor, 1, 1},
      {Axis::kTensorColumns, 0, 0},
      {Axis::kTensorColumns, 1, 1},
      {Axis::kData, 0, 0},
      {Axis::kData, 1, 1},
      {Axis::kPipeline, 0, 1},
      {Axis::kPipeline, 1, 0}};
  EXPECT_EQ(edges, expected);
  EXPECT_EQ(plan.mesh.shards(), 48U);
  EXPECT_EQ(plan.mesh.groups(Axis::kTensor, 0).size(), 6U);
  EXPECT_EQ(plan.mesh.groups(Axis::kTensorColumns, 0).size(), 12U);
  EXPECT_EQ(plan.mesh.groups(Axis::kData, 0).size(), 8U);
}

// k1 spans half a row, k2 the other half, p the next row, d every other row.
TEST(DeepFlowFigure5, AnEdgeOfK2TakesFourHops) {
  EXPECT_EQ(ring_edges(Axis::kTensor), (std::pair(std::set{Hops(1, 0)}, std::set{Hops(3, 0)})));
  EXPECT_EQ(ring_edges(Axis::kTensorColumns),
            (std::pair(std::set{Hops(4, 0)}, std::set{Hops(4, 0)})));
  EXPECT_EQ(ring_edges(Axis::kData), (std::pair(std::set{Hops(0, 2)}, std::set{Hops(0, 4)})));
  const Step& here = step();
  for (std::uint32_t shard = 0; shard < 24; ++shard) {
    EXPECT_EQ(hops(here.placement[shard], here.placement[shard + 24]), Hops(0, 1));
  }
}

TEST(DeepFlowFigure5, RoutesGoAlongXFirst) {
  // From (1, 5) to (6, 2).
  EXPECT_EQ(hops(1 + 8 * 5, 6 + 8 * 2), Hops(5, 3));
}

// From the gradient of the loss to the last update, without contention. A ring step is as slow as
// its slowest edge:
//
//   gather over k2: 1 step of 4 hops;  over k1: 3 steps, the closing edge has 3 hops
//   all-to-all over k2: 4 hops;  over k1: 3 hops
//   all-reduce over d: 4 steps of a third of |W| / (4 * 2), the closing edge has 4 hops
//
// Stage 1: softmax; dX of fc3 waits for dY (k2), then W (k2); the inputs of dW of fc3 arrive
// meanwhile. Stage 0: transfer; relu2; dX of fc2 as that of fc3; dW of fc2; relu1; dW of fc1 waits
// for dY (k1), then X (k1); its all-reduce over d, its gather over k1, its update. dW of fc2 is
// reduced while that of fc1 is computed, and gathered and updated while that is reduced.
TEST(DeepFlowFigure5, BackwardTimeIsTheCriticalPath) {
  const Step& here = step();
  const double x = kLatencyX.si();
  const double y = kLatencyY.si();
  const double weight = kElement.si() * kWidth * kWidth / (4 * 2);
  const double map = kElement.si() * kBatch / 3 / 4 * kWidth / 2;
  const double k2 = 4 * x;
  const double gather_k1 = 3 * 3 * x;
  const double all_to_all_k1 = 3 * x;
  const double transfer = y + map / kBandwidthY.si();
  const double sum_d = 4 * (4 * y + weight / 3 / kBandwidthY.si());
  ASSERT_LT(sum_d, kWeightGradient.si());
  ASSERT_LT(gather_k1 + kUpdate.si(), sum_d);

  const double stage1 = kElementwise.si() + 2 * k2 + kDataGradient.si();
  const double stage0 = kElementwise.si() + 2 * k2 + kDataGradient.si() + kWeightGradient.si() +
                        kElementwise.si() + gather_k1 + all_to_all_k1 + kWeightGradient.si() +
                        sum_d + gather_k1 + kUpdate.si();
  const double begin = here.begin_of("softmax", Pass::kDataGradient);

  EXPECT_NEAR(here.time() - begin, stage1 + transfer + stage0, here.rounding());
}

}  // namespace
}  // namespace cairn
