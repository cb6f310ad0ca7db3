#include "cairn/model/backward.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

// MACs of contractions.
double macs(const Graph& graph, Pass pass) {
  double sum = 0.0;
  for (const Operator& op : graph.operators) {
    sum += op.pass == pass && op.contraction ? op.contraction->macs() : 0.0;
  }
  return sum;
}

std::vector<Graph> all_networks() {
  std::vector<Graph> graphs;
  graphs.push_back(build(AlexNet{}, 4.0, {}));
  graphs.push_back(build(AlexNet{.grouped = true}, 4.0, {.pool_saves = PoolSaves::kMaps}));
  graphs.push_back(build(GoogLeNet{}, 4.0, {}));
  graphs.push_back(build(Vgg{}, 4.0, {}));
  graphs.push_back(build(ResNet{}, 4.0, {}));
  graphs.push_back(build(ResNet{.bottleneck = true, .projections = true, .affine = true}, 4.0, {}));
  graphs.push_back(build(RecurrentNet{.cell = Cell::kGru, .steps = 5, .layers = 2}, 4.0, {}));
  graphs.push_back(build(VideoNet{.frames = 3}, 4.0, {}));
  graphs.push_back(build(LanguageModel{.hidden = 64.0, .vocabulary = 100.0, .steps = 3}, 4.0, {}));
  graphs.push_back(
      build(Gpt{.layers = 2, .hidden = 64.0, .heads = 4, .vocab = 100.0, .seq = 16}, 4.0, {}));
  graphs.push_back(
      build(Gpt{.layers = 2, .hidden = 64.0, .heads = 4, .vocab = 100.0, .seq = 16, .tied = true},
            4.0,
            {}));
  graphs.push_back(build(Gpt{.layers = 2,
                             .hidden = 64.0,
                             .heads = 4,
                             .vocab = 100.0,
                             .seq = 16,
                             .mlp = Mlp::kGated,
                             .norm = Norm::kRms,
                             .positions = Positions::kRotary,
                             .kv_heads = 2,
                             .bias = false},
                         4.0,
                         {}));
  graphs.push_back(build(Gpt{.layers = 2,
                             .hidden = 64.0,
                             .heads = 4,
                             .vocab = 100.0,
                             .seq = 16,
                             .tied = true,
                             .mlp = Mlp::kSquaredRelu,
                             .positions = Positions::kRotary,
                             .head_dim = 24.0,
                             .qk_norm = true,
                             .embedding_norm = true,
                             .block = Block::kParallelOneNorm,
                             .window = 4},
                         4.0,
                         {}));
  graphs.push_back(build(Gnmt{.layers = 3, .hidden = 64.0, .vocab = 100.0, .steps = 5}, 4.0, {}));
  graphs.push_back(build(Dlrm{.tables = 5,
                              .rows = 100,
                              .dim = 8,
                              .lookups = 3,
                              .dense = 13,
                              .bottom = {32},
                              .top = {64}},
                         4.0,
                         {}));
  return graphs;
}

// Each gradient of a contraction does as many multiply-accumulates as the contraction itself;
// samples have no gradient.
TEST(Backward, TakesTwiceTheWorkOfTheForwardPass) {
  for (const Graph& forward : all_networks()) {
    SCOPED_TRACE(forward.name);
    const Graph graph = with_backward_pass(forward);
    const double once = macs(graph, Pass::kForward);
    double first = 0.0;
    double matmuls = 0.0;  // both operands have a data gradient, none a weight gradient
    for (const Operator& op : forward.operators) {
      first += forward.tensor(op.inputs.front()).kind == TensorKind::kData ? op.macs() : 0.0;
      matmuls += op.kind == OperatorKind::kMatmul ? op.macs() : 0.0;
    }

    EXPECT_NEAR(macs(graph, Pass::kWeightGradient), once - matmuls, 1e-9 * once);
    EXPECT_NEAR(macs(graph, Pass::kDataGradient), once - first + matmuls, 1e-9 * once);
  }
}

TEST(Backward, EveryWeightGetsOneGradientOfItsSizeAndOneUpdate) {
  for (const Graph& forward : all_networks()) {
    SCOPED_TRACE(forward.name);
    const Graph graph = with_backward_pass(forward);
    std::size_t weights = 0;
    for (const Tensor& tensor : graph.tensors) {
      weights += tensor.kind == TensorKind::kWeight ? 1 : 0;
    }
    std::size_t updates = 0;
    for (const Operator& op : graph.operators) {
      updates += op.pass == Pass::kUpdate ? 1 : 0;
      if (op.kind == OperatorKind::kUpdate) {
        EXPECT_EQ(graph.tensor(op.inputs[0]).kind, TensorKind::kWeightGradient);
        EXPECT_TRUE(op.forward.has_value());
        EXPECT_DOUBLE_EQ(graph.tensor(op.inputs[0]).elements, graph.tensor(op.inputs[1]).elements);
      }
    }

    EXPECT_EQ(updates, weights);
  }
}

// Every input was written before or is external.
TEST(Backward, OperatorsAreInTopologicalOrder) {
  for (const Graph& forward : all_networks()) {
    SCOPED_TRACE(forward.name);
    const Graph graph = with_backward_pass(forward);
    std::vector<std::size_t> writer(graph.tensors.size(), graph.operators.size());
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const Id<Tensor> output : graph.operators[i].outputs) {
        writer[output.index()] = std::min(writer[output.index()], i);
      }
    }
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const Id<Tensor> input : graph.operators[i].inputs) {
        const bool from_outside = writer[input.index()] == graph.operators.size();
        EXPECT_TRUE(from_outside || writer[input.index()] < i ||
                    graph.tensor(input).kind == TensorKind::kWeight)
            << graph.operators[i].name << " reads " << graph.tensor(input).name;
      }
    }
  }
}

// x -> a, x -> b, y = a + b: dx is the sum of two gradients.
TEST(Backward, AddsTheGradientsOfSeveralReaders) {
  Net net("fork", 2.0);
  const Value x = net.fully_connected("x", net.input("in", {.samples = 2.0, .channels = 8}), 8);
  const Value a = net.fully_connected("a", x, 8);
  const Value b = net.fully_connected("b", x, 8);
  net.add("y", a, b);

  const Graph graph = with_backward_pass(std::move(net).take());

  const auto sums = std::ranges::count_if(graph.operators, [](const Operator& op) {
    return op.kind == OperatorKind::kAdd && op.pass == Pass::kDataGradient;
  });
  EXPECT_EQ(sums, 1);
}

TEST(Backward, StepsOfARecurrentLayerAccumulateIntoOneWeightGradient) {
  const Graph graph = with_backward_pass(build(RecurrentNet{.steps = 3}, 4.0, {}));

  std::size_t first = 0;
  std::size_t more = 0;
  for (const Operator& op : graph.operators) {
    if (op.pass == Pass::kWeightGradient) {
      const bool adds = std::ranges::find(op.inputs, op.outputs.front()) != op.inputs.end();
      ++(adds ? more : first);
    }
  }
  EXPECT_EQ(first, 1U);
  EXPECT_EQ(more, 2U);
}

// y = relu(a) + relu(b): neither may overwrite the gradient that both read.
TEST(Backward, ASharedGradientIsNotOverwrittenInPlace) {
  Net net("sum", 1.0);
  const Value x = net.fully_connected("x", net.input("in", {.channels = 4}), 4);
  net.add("y",
          net.activation("a", net.fully_connected("fa", x, 4)),
          net.activation("b", net.fully_connected("fb", x, 4)));
  const Graph graph = with_backward_pass(std::move(net).take());

  for (const Operator& op : graph.operators) {
    if (op.kind == OperatorKind::kActivation && op.pass == Pass::kDataGradient) {
      EXPECT_NE(graph.tensor(op.outputs.front()).storage, graph.tensor(op.inputs.front()).storage);
    }
  }
}

}  // namespace
}  // namespace cairn::model
