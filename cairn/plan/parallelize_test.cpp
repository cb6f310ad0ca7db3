#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {
namespace {

using model::Graph;
using model::Net;
using model::Operator;

// Per sample: maximum and sum of a softmax over split channels.
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

TEST(Parallelize, DataParallelismAllReducesEveryWeightGradientOnce) {
  const Plan plan = spread(perceptron(512.0), {}, 8);

  const double weights = 64.0 * 128 + 128.0 * 256 + 256.0 * 32;
  const auto sums = elements_by_op(plan);
  EXPECT_EQ(plan.exchanges.size(), 3U);
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllReduce), weights);
  EXPECT_DOUBLE_EQ(macs(plan.graph), macs(perceptron(512.0)) / 8);
}

// Forward: all-gather Y, which is the next layer's X; backward: all-reduce dX. The first layer's
// input is external and has no gradient.
TEST(Parallelize, ModelParallelismGathersYAndAllReducesDx) {
  const Plan plan = spread(perceptron(512.0), {.parallelism = Parallelism::kModel}, 8);

  const auto sums = elements_by_op(plan);
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllGather), 512.0 * (128 + 256));
  EXPECT_DOUBLE_EQ(sums.at(comm::Op::kAllReduce), 512.0 * (128 + 256) + kSoftmaxSums * 512);
  EXPECT_DOUBLE_EQ(macs(plan.graph), macs(perceptron(512.0)) / 8);
}

TEST(Parallelize, ModelParallelismCanRegatherTheInputForTheWeightGradient) {
  const Plan plan = spread(perceptron(512.0),
                           {.parallelism = Parallelism::kModel,
                            .assumptions = {.model_parallel_input = ModelParallelInput::kRegather}},
                           8);

  EXPECT_DOUBLE_EQ(elements_by_op(plan).at(comm::Op::kAllGather), 2.0 * 512 * (128 + 256));
}

// Data-parallel convolutions, then all-gather of their output, and reduce-scatter of its gradient.
TEST(Parallelize, OneWeirdTrickReshardsBeforeTheFullyConnectedLayers) {
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

TEST(Parallelize, ReducesARecurrentWeightGradientEveryStepOrOnce) {
  const Graph graph = with_backward_pass(build(
      model::RecurrentNet{.cell = model::Cell::kLstm, .hidden = 64.0, .steps = 10}, 64.0, {}));
  const double weights = 4.0 * 64 * 128;

  const Plan each =
      spread(graph, {.assumptions = {.recurrent_sync = RecurrentSync::kEveryStep}}, 4);
  const Plan once = spread(graph, {.assumptions = {.recurrent_sync = RecurrentSync::kOnce}}, 4);

  EXPECT_DOUBLE_EQ(elements_by_op(each).at(comm::Op::kAllReduce), 10 * weights);
  EXPECT_DOUBLE_EQ(elements_by_op(once).at(comm::Op::kAllReduce), weights);
}

TEST(Parallelize, AllReducesGradientsInBuckets) {
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

TEST(Parallelize, AllReducesGradientsOfNormalizations) {
  const Graph graph = with_backward_pass(build(model::ResNet{.affine = true}, 16.0, {}));
  const Plan plan = spread(graph, {}, 4);

  double weights = 0.0;
  for (const model::Tensor& tensor : graph.tensors) {
    weights += tensor.kind == model::TensorKind::kWeight ? tensor.elements : 0.0;
  }
  EXPECT_NEAR(elements_by_op(plan).at(comm::Op::kAllReduce), weights, 1e-6 * weights);
}

// A batch that does not divide: the plan is that of the device with the most samples.
TEST(Parallelize, RoundsTheBatchUp) {
  const Plan plan = spread(perceptron(10.0), {}, 4);

  EXPECT_DOUBLE_EQ(plan.graph.batch, 3.0);
  EXPECT_DOUBLE_EQ(macs(plan.graph), macs(perceptron(3.0)));
}

TEST(Parallelize, EmptyShardsAreInfeasible) {
  const auto reason = [](const Strategy& strategy, double batch, std::uint32_t devices) {
    const auto plan = parallelize(perceptron(batch), strategy, *make_mesh(strategy, devices));
    return plan ? std::string() : plan.reason().limit() + ": " + plan.reason().detail;
  };

  // 64 inputs; 8 samples; 32 outputs of the last layer.
  EXPECT_EQ(reason({.parallelism = Parallelism::kColumnRow, .tensor_rows = 128}, 512.0, 128),
            "strategy: fc1: 64 channels < 128 shards");
  EXPECT_EQ(reason({}, 8.0, 16), "strategy: fc1: 8 samples < 16 shards");
  EXPECT_EQ(reason({.parallelism = Parallelism::kRowColumn,
                    .tensor_rows = 4,
                    .tensor_columns = 2,
                    .data = 4},
                   8.0,
                   32),
            "strategy: fc1: 8 samples < 16 shards");
  EXPECT_EQ(reason({.parallelism = Parallelism::kModel}, 512.0, 64),
            "strategy: fc3: 32 channels < 64 shards");
}

TEST(Parallelize, FewerGemmsThanShardsAreInfeasible) {
  Net net("attention", 1.0);
  const model::Shape heads{.samples = 1, .channels = 4, .height = 16, .width = 8};
  net.matmul("scores", net.input_from_below("q", heads), net.input_from_below("k", heads));
  const Graph graph = with_backward_pass(std::move(net).take());
  const Strategy strategy{.parallelism = Parallelism::kModel};

  const auto plan = parallelize(graph, strategy, *make_mesh(strategy, 8));

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "scores: 4 GEMMs < 8 shards");
}

// fc1, relu1 | fc2, relu2 | fc3, softmax: activations between stages, and their gradients, once per
// micro-batch.
TEST(Parallelize, StagesExchangeActivationsAndGradients) {
  Strategy strategy{.data = 2, .stages = 3, .micro_batches = 4, .cuts = {"fc2", "fc3"}};
  const double batch = 64.0;

  const Plan plan = spread(perceptron(batch), strategy, 6);

  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::vector<double>> crossing;
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.between_stages()) {
      EXPECT_EQ(exchange.op, comm::Op::kSendReceive);
      EXPECT_EQ(exchange.backward, exchange.to_stage < exchange.stage);
      crossing[{exchange.stage, exchange.to_stage, exchange.name}].push_back(exchange.elements);
    } else {
      EXPECT_EQ(exchange.op, comm::Op::kAllReduce);
    }
  }
  const double share = batch / 2;
  const std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::vector<double>>
      expected{{{0, 1, "relu1"}, std::vector(4, share * 128)},
               {{1, 2, "relu2"}, std::vector(4, share * 256)},
               {{2, 1, "drelu2"}, std::vector(4, share * 256)},
               {{1, 0, "drelu1"}, std::vector(4, share * 128)}};
  EXPECT_EQ(crossing, expected);
}

TEST(Parallelize, EachStageComputesItsLayers) {
  Strategy strategy{.data = 2, .stages = 3, .micro_batches = 4, .cuts = {"fc2", "fc3"}};
  const double batch = 64.0;

  const Plan plan = spread(perceptron(batch), strategy, 6);

  std::vector<double> work(3, 0.0);
  for (std::size_t i = 0; i < plan.graph.operators.size(); ++i) {
    work[plan.operator_stage[i]] += plan.graph.operators[i].macs();
  }
  // Forward, dX and dW of every micro-batch; the first layer has no dX.
  const double samples = 4 * batch / 2;
  EXPECT_DOUBLE_EQ(work[0], 2 * samples * 64 * 128);
  EXPECT_DOUBLE_EQ(work[1], 3 * samples * 128 * 256);
  EXPECT_DOUBLE_EQ(work[2], 3 * samples * 256 * 32);
}

// An activation that several later stages read is sent to each by the stage that computed it.
TEST(Parallelize, AnActivationThatSkipsAStageIsSentByItsProducer) {
  const double batch = 8.0;
  Net net("skip", batch);
  const auto x = net.input("x", {.samples = batch, .channels = 16});
  const auto a = net.fully_connected("a", x, 16);
  const auto c = net.fully_connected("c", net.fully_connected("b", a, 16), 16);
  net.softmax("softmax", net.add("sum", a, c));
  const Graph graph = with_backward_pass(std::move(net).take());

  const Plan plan = spread(graph, {.stages = 3, .cuts = {"b", "c"}}, 3);

  std::map<std::pair<std::uint32_t, std::uint32_t>, int> crossing;
  for (const Exchange& exchange : plan.exchanges) {
    ++crossing[{exchange.stage, exchange.to_stage}];
  }
  // a to b and to the sum, b to c; the gradient of the sum to a, of b to b, of a to a.
  const std::map<std::pair<std::uint32_t, std::uint32_t>, int> expected{
      {{0, 1}, 1}, {{0, 2}, 1}, {{1, 2}, 1}, {{2, 1}, 1}, {{1, 0}, 1}, {{2, 0}, 1}};
  EXPECT_EQ(crossing, expected);
}

}  // namespace
}  // namespace cairn::plan
