#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

constexpr NetOptions kByLayer{.recurrent = RecurrentKernels::kByLayer};

RecurrentNet three_steps(Cell cell) {
  return {.cell = cell, .hidden = 8.0, .steps = 3};
}

double macs_of_pass(const Graph& graph, Pass pass) {
  double macs = 0.0;
  for (const Operator& op : graph.operators) {
    macs += op.pass == pass ? op.macs() : 0.0;
  }
  return macs;
}

TEST(RecurrentLayers, HaveTheSameWorkByStepAndByLayer) {
  for (const Cell cell : {Cell::kVanilla, Cell::kLstm, Cell::kGru}) {
    const Graph steps = with_backward_pass(build(three_steps(cell), 5.0, {}));
    const Graph layer = with_backward_pass(build(three_steps(cell), 5.0, kByLayer));
    EXPECT_DOUBLE_EQ(count(layer).parameters, count(steps).parameters);
    for (const Pass pass : {Pass::kForward, Pass::kDataGradient, Pass::kWeightGradient}) {
      EXPECT_DOUBLE_EQ(macs_of_pass(layer, pass), macs_of_pass(steps, pass)) << to_text(pass);
    }
    EXPECT_LT(layer.operators.size(), steps.operators.size());
  }
}

TEST(RecurrentLayers, ALanguageModelHasTheSameWorkByStepAndByLayer) {
  for (const std::uint32_t at_once : {0U, 1U}) {
    const LanguageModel network{
        .hidden = 8.0, .vocabulary = 100.0, .layers = 2, .steps = 3, .steps_at_once = at_once};
    EXPECT_DOUBLE_EQ(macs_of(build(network, 5.0, kByLayer)), macs_of(build(network, 5.0, {})));
  }
}

TEST(RecurrentLayers, ByLayerSavesTheReserveSpaceOfCudnn) {
  const auto saved = [](Cell cell) {
    const Graph graph = build(three_steps(cell), 5.0, kByLayer);
    double elements = 0.0;
    for (const Tensor& tensor : graph.tensors) {
      elements += tensor.kind == TensorKind::kState ? tensor.elements : 0.0;
    }
    return elements / (5.0 * 3.0 * 8.0);
  };
  EXPECT_DOUBLE_EQ(saved(Cell::kVanilla), 1.0);
  EXPECT_DOUBLE_EQ(saved(Cell::kLstm), 5.0);
  EXPECT_DOUBLE_EQ(saved(Cell::kGru), 6.0);
}

// Its gradient needs only the external numbers.
TEST(RecurrentLayers, AWeightedLossSavesItsWeights) {
  RecurrentNet network = three_steps(Cell::kLstm);
  network.weighed = true;
  const Graph graph = with_backward_pass(build(network, 5.0, kByLayer));
  const auto loss = std::ranges::find(graph.operators, "loss", &Operator::name);
  ASSERT_NE(loss, graph.operators.end());
  ASSERT_EQ(loss->saved.size(), 1U);
  EXPECT_DOUBLE_EQ(graph.tensor(loss->saved.front()).elements, 5.0 * 3.0 * 8.0);
  EXPECT_EQ(graph.tensor(loss->saved.front()).kind, TensorKind::kData);
}

TEST(RecurrentLayers, ByLayerWithOneStepIsOneOperator) {
  const RecurrentNet network{.cell = Cell::kGru, .hidden = 8.0, .steps = 1};
  EXPECT_EQ(build(network, 5.0, kByLayer).operators.size(), 1U);
}

TEST(RecurrentLayers, TheLastStepOfALayerIsAView) {
  Net net("last", 5.0, kByLayer);
  const Value x = net.input("x", {.samples = 5, .steps = 3, .channels = 8});
  const Value last = net.last_step(net.recurrent("gru", x, Cell::kGru, 8));
  net.fully_connected("classes", last, 10);
  const Graph graph = std::move(net).take();
  EXPECT_DOUBLE_EQ(graph.tensor(last.tensors.front()).elements, 5.0 * 8.0);
  EXPECT_DOUBLE_EQ(graph.operators.back().macs(), 5.0 * 8.0 * 10.0);
}

}  // namespace
}  // namespace cairn::model
