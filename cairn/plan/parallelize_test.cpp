#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/plan/test_support/strategies.hpp"

namespace cairn::plan {
namespace {

using model::Graph;
using model::Net;
using model::Operator;

// Per sample: the maximum and the sum of a softmax over channels that lie on several devices.
constexpr double kSoftmaxSums = 2.0;

Graph perceptron(double batch) {
  Net net("perceptron", batch);
  auto x = net.input("x", {.samples = batch, .channels = 64});
  x = net.activation("relu1", net.fully_connected("fc1", x, 128));
  x = net.activation("relu2", net.fully_connected("fc2", x, 256));
  net.softmax("softmax", net.fully_connected("fc3", x, 32));
  return with_backward_pass(std::move(net).take());
}

Plan spread(const Graph& graph, const Strategy& strategy, std::uint32_t devices) {
  return *parallelize(graph, strategy, *make_mesh(strategy, devices));
}

double macs(const Graph& graph) {
  double sum = 0.0;
  for (const Operator& op : graph.operators) {
    sum += op.macs();
  }
  return sum;
}

std::map<comm::Op, double> elements_by_op(const Plan& plan) {
  std::map<comm::Op, double> sums;
  for (const Exchange& exchange : plan.exchanges) {
    sums[exchange.op] += exchange.elements;
  }
  return sums;
}

TEST(Parallelize, ByDataSumsEveryWeightGradientOnce) {
  const Plan plan = spread(perceptron(512.0), {}, 8);

  const double weights = 64.0 * 128 + 128.0 * 256 + 256.0 * 32;
  const auto sums = elements_by_op(plan);
  EXPECT_EQ(plan.exchanges.size(), 3U);
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllReduce), weights);
  EXPECT_DOUBLE_EQ(macs(plan.graph), macs(perceptron(512.0)) / 8);
}

// Forward: all-gather Y, which is the next layer's X; backward: all-reduce dX. The first layer's
// input is there already, and has no gradient.
TEST(Parallelize, ByModelGathersYAndSumsDx) {
  const Plan plan = spread(perceptron(512.0), {.parallelism = Parallelism::kModel}, 8);

  const auto sums = elements_by_op(plan);
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllGather), 512.0 * (128 + 256));
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllReduce), 512.0 * (128 + 256) + kSoftmaxSums * 512);
  EXPECT_DOUBLE_EQ(macs(plan.graph), macs(perceptron(512.0)) / 8);
}

TEST(Parallelize, ByModelCanFetchTheInputAgainForTheWeightGradient) {
  const Plan plan = spread(
      perceptron(512.0),
      {.parallelism = Parallelism::kModel, .model_parallel_input = ModelParallelInput::kRegather},
      8);

  EXPECT_DOUBLE_EQ(elements_by_op(plan).at(comm::Op::kAllGather), 2.0 * 512 * (128 + 256));
}

// Convolutions by data, then all-gather of what they made, and reduce-scatter of its gradient.
TEST(Parallelize, ByOneWeirdTrickChangesLayoutBeforeTheFullyConnectedLayers) {
  const Graph alexnet = with_backward_pass(build(model::AlexNet{}, 512.0, {}));
  const Plan plan = spread(alexnet, {.parallelism = Parallelism::kOneWeirdTrick}, 8);

  const double conv_weights =
      96.0 * 363 + 256.0 * 2400 + 384.0 * 2304 + 384.0 * 3456 + 256.0 * 3456;
  const auto sums = elements_by_op(plan);
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllGather), 512.0 * (9216 + 4096 + 4096));
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kReduceScatter), 512.0 * 9216);
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllReduce),
                   conv_weights + 512.0 * (4096 + 4096) + kSoftmaxSums * 512);
}

TEST(Parallelize, SumsARecurrentWeightEveryStepOrOnce) {
  const Graph graph = with_backward_pass(build(
      model::RecurrentNet{.cell = model::Cell::kLstm, .hidden = 64.0, .steps = 10}, 64.0, {}));
  const double weights = 4.0 * 64 * 128;

  const Plan each = spread(graph, {.recurrent_sync = RecurrentSync::kEveryStep}, 4);
  const Plan once = spread(graph, {.recurrent_sync = RecurrentSync::kOnce}, 4);

  EXPECT_DOUBLE_EQ(elements_by_op(each).at(comm::Op::kAllReduce), 10 * weights);
  EXPECT_DOUBLE_EQ(elements_by_op(once).at(comm::Op::kAllReduce), weights);
}

TEST(Parallelize, GathersGradientsInBuckets) {
  const Graph graph = perceptron(512.0);
  const Bytes all(2.0 * (64.0 * 128 + 128.0 * 256 + 256.0 * 32));

  const Plan one = spread(graph, {.bucket = all * 2.0}, 8);
  const Plan two = spread(graph, {.bucket = Bytes(2.0 * 256 * 33)}, 8);

  EXPECT_EQ(one.exchanges.size(), 1U);
  EXPECT_DOUBLE_EQ(one.exchanges[0].elements * 2.0, all.si());
  EXPECT_EQ(two.exchanges.size(), 2U);
}

TEST(Parallelize, OnOneDeviceExchangesNothing) {
  for (const auto parallelism :
       {Parallelism::kData, Parallelism::kModel, Parallelism::kOneWeirdTrick}) {
    const Graph graph = with_backward_pass(build(model::GoogLeNet{}, 16.0, {}));
    const Plan plan = spread(graph, {.parallelism = parallelism}, 1);

    EXPECT_TRUE(plan.exchanges.empty());
    EXPECT_DOUBLE_EQ(macs(plan.graph), macs(graph));
  }
}

TEST(Parallelize, NormalizationsWithWeightsAreSummedToo) {
  const Graph graph = with_backward_pass(build(model::ResNet{.affine = true}, 16.0, {}));
  const Plan plan = spread(graph, {}, 4);

  double weights = 0.0;
  for (const model::Tensor& tensor : graph.tensors) {
    weights += tensor.kind == model::TensorKind::kWeight ? tensor.elements : 0.0;
  }
  EXPECT_NEAR(elements_by_op(plan).at(comm::Op::kAllReduce), weights, 1e-6 * weights);
}

// A batch that does not divide: the device with the most samples is planned for.
TEST(Parallelize, RoundsTheBatchUp) {
  const Plan plan = spread(perceptron(10.0), {}, 4);

  EXPECT_DOUBLE_EQ(plan.graph.batch, 3.0);
  EXPECT_DOUBLE_EQ(macs(plan.graph), macs(perceptron(3.0)));
}

Graph any_network() {
  const int which = *rc::gen::inRange(0, 6);
  const auto batch = static_cast<double>(*rc::gen::inRange(8, 100));
  switch (which) {
    case 0:
      return build(model::AlexNet{.grouped = *rc::gen::arbitrary<bool>()}, batch, {});
    case 1:
      return build(model::GoogLeNet{}, batch, {});
    case 2:
      return build(model::ResNet{.projections = *rc::gen::arbitrary<bool>(),
                                 .affine = *rc::gen::arbitrary<bool>()},
                   batch,
                   {});
    case 3:
      return build(
          model::RecurrentNet{.cell = model::Cell::kGru, .hidden = 64, .steps = 5, .layers = 2},
          batch,
          {});
    case 4:
      return build(model::VideoNet{.frames = 3}, batch, {});
    default:
      return build(model::Vgg{}, batch, {});
  }
}

// Whatever the strategy, what a step reads was made before it (by storage), or comes from outside.
RC_GTEST_PROP(ParallelizeProperty, StepsReadOnlyWhatIsThere, ()) {
  const Graph graph = with_backward_pass(any_network());
  const Strategy strategy = any_strategy();
  const Mesh mesh = *make_mesh(strategy, devices_of(strategy));
  const auto spread_out = parallelize(graph, strategy, mesh);
  RC_PRE(spread_out.feasible());
  const Plan& plan = *spread_out;

  std::vector<bool> made_somewhere(plan.graph.tensors.size(), false);
  const auto reads = [&](const Step& step) {
    return std::holds_alternative<Id<Exchange>>(step)
               ? plan.exchanges[std::get<Id<Exchange>>(step).index()].from
               : plan.graph.operators[std::get<Id<Operator>>(step).index()].inputs;
  };
  const auto writes = [&](const Step& step) {
    return std::holds_alternative<Id<Exchange>>(step)
               ? plan.exchanges[std::get<Id<Exchange>>(step).index()].to
               : plan.graph.operators[std::get<Id<Operator>>(step).index()].outputs;
  };
  const auto storage = [&](Id<model::Tensor> tensor) {
    return plan.graph.tensor(tensor).storage.index();
  };
  for (const Step& step : plan.steps) {
    for (const Id<model::Tensor> tensor : writes(step)) {
      made_somewhere[storage(tensor)] = true;
    }
  }
  std::vector<bool> made(plan.graph.tensors.size(), false);
  for (const Step& step : plan.steps) {
    for (const Id<model::Tensor> tensor : reads(step)) {
      const bool weight = plan.graph.tensor(tensor).kind == model::TensorKind::kWeight;
      RC_ASSERT(weight || made[storage(tensor)] || !made_somewhere[storage(tensor)]);
    }
    for (const Id<model::Tensor> tensor : writes(step)) {
      made[storage(tensor)] = true;
    }
  }
}

}  // namespace
}  // namespace cairn::plan
