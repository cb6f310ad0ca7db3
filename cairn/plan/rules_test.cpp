// Every exchange of a perceptron and of an LSTM under row-column and column-row parallelism, in
// closed form (Ardalani et al., DeepFlow, sections 3.3 and 5.1).
#include "cairn/plan/rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {
namespace {

using comm::Op;
using model::Graph;
using model::Net;

constexpr double kBatch = 96.0;
constexpr double kIn = 32.0;
constexpr double kHidden = 64.0;
constexpr double kOut = 128.0;

// Two layers: X0 -> fc1 -> X1 -> fc2 -> Y.
Graph perceptron() {
  Net net("perceptron", kBatch);
  auto x = net.input("x", {.samples = kBatch, .channels = kIn});
  x = net.fully_connected("fc1", x, kHidden);
  net.fully_connected("fc2", x, kOut);
  return with_backward_pass(std::move(net).take());
}

struct Seen {
  Op op;
  Axes axes;
  std::string name;
  double elements;
  bool backward;

  auto key() const { return std::tuple(backward, name, op, axes, elements); }

  bool operator==(const Seen& other) const { return key() == other.key(); }
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  out << comm::info(seen.op).name << " of " << seen.elements << " of " << seen.name << " over";
  for (const auto& [axis, name] : EnumNames<Axis>::kNames) {
    out << (seen.axes.has(axis) ? " " + std::string(name) : "");
  }
  return out << (seen.backward ? ", backward" : "");
}

std::vector<Seen> sorted(std::vector<Seen> all) {
  std::ranges::sort(all, {}, &Seen::key);
  return all;
}

std::vector<Seen> exchanges_of(const Graph& graph, const Strategy& strategy) {
  const std::uint32_t devices = strategy.tensor_rows * std::max(strategy.tensor_columns, 1U) *
                                strategy.data * strategy.stages;
  const Plan plan = *parallelize(graph, strategy, *make_mesh(strategy, devices));
  std::vector<Seen> all;
  for (const Exchange& exchange : plan.exchanges) {
    all.push_back(
        {exchange.op, exchange.axes, exchange.name, exchange.elements, exchange.backward});
  }
  return sorted(std::move(all));
}

constexpr Axis kK1 = Axis::kTensor;
constexpr Axis kK2 = Axis::kTensorColumns;
constexpr Axis kD = Axis::kData;

// Forward: X is gathered over k2 (the first layer's is external). dX = dY W^T: dY is gathered
// over k2, W goes from columns to rows. dW = X^T dY: X goes from rows to columns over k1, dY is
// gathered over k1; dW is all-reduced over d, then its rows are gathered over k1. The first layer's
// input is external, so its forward layout is free, and it has no gradient.
TEST(RowColumn, ExchangesOfAPerceptron) {
  const double k1 = 4.0;
  const double k2 = 2.0;
  const double d = 3.0;
  const double x1 = kBatch / d * kHidden;
  const double y = kBatch / d * kOut;
  const double w1 = kIn * kHidden;
  const double w2 = kHidden * kOut;

  const auto seen = exchanges_of(
      perceptron(),
      {.parallelism = Parallelism::kRowColumn, .tensor_rows = 4, .tensor_columns = 2, .data = 3});

  EXPECT_EQ(seen,
            sorted({{Op::kAllGather, kK2, "fc1", x1 / k1, false},
                    {Op::kAllGather, kK2, "dfc2 of the loss", y / k1, true},
                    {Op::kAllToAll, kK2, "fc2.weight", w2 / k2, true},
                    {Op::kAllToAll, kK1, "fc1", x1 / k1, true},
                    {Op::kAllGather, kK1, "dfc2 of the loss", y / k2, true},
                    {Op::kAllReduce, kD, "dfc2.weight", w2 / (k1 * k2), true},
                    {Op::kAllGather, kK1, "dfc2.weight", w2 / k2, true},
                    {Op::kAllToAll, kK1, "x", kBatch / d * kIn / k1, true},
                    {Op::kAllGather, kK1, "dfc1", x1 / k2, true},
                    {Op::kAllReduce, kD, "dfc1.weight", w1 / (k1 * k2), true},
                    {Op::kAllGather, kK1, "dfc1.weight", w1 / k2, true}}));
}

// One row of shards, or one column: only exchanges along the other axis remain.
TEST(RowColumn, AnAxisOfOneShardExchangesNothing) {
  const double x1 = kBatch * kHidden;
  const double w1 = kIn * kHidden;
  const double w2 = kHidden * kOut;
  const double y = kBatch * kOut;

  const auto columns = exchanges_of(
      perceptron(),
      {.parallelism = Parallelism::kRowColumn, .tensor_rows = 1, .tensor_columns = 4, .data = 1});
  const auto rows = exchanges_of(
      perceptron(),
      {.parallelism = Parallelism::kRowColumn, .tensor_rows = 4, .tensor_columns = 1, .data = 1});

  EXPECT_EQ(columns,
            sorted({{Op::kAllGather, kK2, "fc1", x1, false},
                    {Op::kAllGather, kK2, "dfc2 of the loss", y, true},
                    {Op::kAllToAll, kK2, "fc2.weight", w2 / 4, true}}));
  EXPECT_EQ(rows,
            sorted({{Op::kAllToAll, kK1, "fc1", x1 / 4, true},
                    {Op::kAllGather, kK1, "dfc2 of the loss", y, true},
                    {Op::kAllGather, kK1, "dfc2.weight", w2, true},
                    {Op::kAllToAll, kK1, "x", kBatch * kIn / 4, true},
                    {Op::kAllGather, kK1, "dfc1", x1, true},
                    {Op::kAllGather, kK1, "dfc1.weight", w1, true}}));
}

// Each device receives everything and slices its part.
TEST(RowColumn, ReshardingByGatherTransfersTheWholeTensor) {
  const auto seen = exchanges_of(perceptron(),
                                 {.parallelism = Parallelism::kRowColumn,
                                  .tensor_rows = 1,
                                  .tensor_columns = 4,
                                  .data = 1,
                                  .assumptions = {.resharding = Resharding::kGather}});

  EXPECT_EQ(seen,
            sorted({{Op::kAllGather, kK2, "fc1", kBatch * kHidden, false},
                    {Op::kAllGather, kK2, "dfc2 of the loss", kBatch * kOut, true},
                    {Op::kAllGather, kK2, "fc2.weight", kHidden * kOut, true}}));
}

TEST(RowColumn, WithOneShardIsDataParallelism) {
  const auto by_data = exchanges_of(perceptron(), {.tensor_rows = 1, .data = 3});
  const auto row_column = exchanges_of(
      perceptron(),
      {.parallelism = Parallelism::kRowColumn, .tensor_rows = 1, .tensor_columns = 1, .data = 3});

  EXPECT_EQ(by_data.size(), 2U);
  EXPECT_EQ(row_column, by_data);
}

// Forward: partial sums of Y are reduce-scattered. Backward: dY is gathered. Weights and their
// gradients stay in place.
TEST(ColumnRow, ExchangesOfAPerceptron) {
  const double y1 = kBatch * kHidden;
  const double y2 = kBatch * kOut;

  const auto seen = exchanges_of(
      perceptron(), {.parallelism = Parallelism::kColumnRow, .tensor_rows = 4, .data = 1});

  EXPECT_EQ(seen,
            sorted({{Op::kReduceScatter, kK1, "fc1", y1, false},
                    {Op::kReduceScatter, kK1, "fc2", y2, false},
                    {Op::kAllGather, kK1, "dfc2 of the loss", y2, true},
                    {Op::kAllGather, kK1, "dfc1", y1, true}}));
}

TEST(ColumnRow, AllReducesItsRowsOfWeightGradientsOverReplicas) {
  const double d = 3.0;

  const auto seen = exchanges_of(
      perceptron(), {.parallelism = Parallelism::kColumnRow, .tensor_rows = 4, .data = 3});

  EXPECT_EQ(seen,
            sorted({{Op::kReduceScatter, kK1, "fc1", kBatch / d * kHidden, false},
                    {Op::kReduceScatter, kK1, "fc2", kBatch / d * kOut, false},
                    {Op::kAllGather, kK1, "dfc2 of the loss", kBatch / d * kOut, true},
                    {Op::kAllGather, kK1, "dfc1", kBatch / d * kHidden, true},
                    {Op::kAllReduce, kD, "dfc2.weight", kHidden * kOut / 4, true},
                    {Op::kAllReduce, kD, "dfc1.weight", kIn * kHidden / 4, true}}));
}

// The inputs of the gates of each step are reduce-scattered, and each device computes its hidden
// units; backward the gradients of the gates are gathered.
TEST(ColumnRow, LstmCellsReduceScatterTheInputsOfTheirGates) {
  const model::RecurrentNet lstm{.cell = model::Cell::kLstm, .hidden = kHidden, .steps = 2};
  const Graph graph = with_backward_pass(build(lstm, kBatch, {}));
  const double gates = kBatch * 4 * kHidden;
  const Strategy strategy{.parallelism = Parallelism::kColumnRow, .tensor_rows = 4, .data = 1};

  const auto seen = exchanges_of(graph, strategy);
  const Plan plan = *parallelize(graph, strategy, *make_mesh(strategy, 4));

  std::vector<std::pair<Op, double>> ops;
  for (const Seen& one : seen) {
    ops.emplace_back(one.op, one.elements);
  }
  const std::vector<std::pair<Op, double>> expected{{Op::kReduceScatter, gates},
                                                    {Op::kReduceScatter, gates},
                                                    {Op::kAllGather, gates},
                                                    {Op::kAllGather, gates}};
  EXPECT_EQ(ops, expected);
  // GEMM, reduce-scatter, cell: in this order, and the cell computes its quarter.
  const auto* first = std::get_if<Id<model::Operator>>(&plan.tasks[0]);
  const auto* then = std::get_if<Id<Exchange>>(&plan.tasks[1]);
  const auto* last = std::get_if<Id<model::Operator>>(&plan.tasks[2]);
  ASSERT_TRUE(first != nullptr && then != nullptr && last != nullptr);
  const model::Operator& products = plan.graph.operators[first->index()];
  const model::Operator& cells = plan.graph.operators[last->index()];
  EXPECT_DOUBLE_EQ(products.macs(), kBatch * 4 * kHidden * 2 * kHidden / 4);
  EXPECT_EQ(products.vector_ops, 0.0);
  EXPECT_DOUBLE_EQ(cells.vector_ops, graph.operators[0].vector_ops / 4);
  EXPECT_EQ(cells.inputs, plan.exchanges[then->index()].to);
}

// The maximum and the sum of exponentials of a sample.
TEST(Softmax, OverSplitChannelsExchangesTwoNumbersPerSample) {
  Net net("classifier", kBatch);
  const auto x = net.input("x", {.samples = kBatch, .channels = kIn});
  net.softmax("softmax", net.fully_connected("fc", x, kOut));
  const Graph graph = with_backward_pass(std::move(net).take());

  const auto row_column = exchanges_of(
      graph,
      {.parallelism = Parallelism::kRowColumn, .tensor_rows = 2, .tensor_columns = 4, .data = 3});

  const Seen sums{Op::kAllReduce, kK2, "softmax", 2.0 * kBatch / (2 * 3), false};
  EXPECT_EQ(std::ranges::count(row_column, sums), 1);
}

// The output layer runs at every step of a sample, with any number of steps per kernel.
TEST(Softmax, OfASequenceExchangesTwoNumbersPerStep) {
  for (const std::uint32_t at_once : {0U, 1U, 2U}) {
    const model::LanguageModel network{
        .hidden = 64.0, .vocabulary = 256.0, .layers = 1, .steps = 5, .steps_at_once = at_once};
    const Graph graph = with_backward_pass(build(network, kBatch, {}));

    double numbers = 0.0;
    for (const Seen& seen : exchanges_of(
             graph, {.parallelism = Parallelism::kColumnRow, .tensor_rows = 4, .data = 2})) {
      numbers += seen.name == "softmax" ? seen.elements : 0.0;
    }

    EXPECT_DOUBLE_EQ(numbers, 2.0 * kBatch / 2 * 5) << at_once;
  }
}

// Attention scores are split by samples or heads, so each device has whole rows.
TEST(Softmax, OfAttentionScoresExchangesNothing) {
  Net net("attention", kBatch);
  const model::Shape heads{.samples = kBatch, .channels = 8, .height = 16, .width = 4};
  const auto q = net.input_from_below("q", heads);
  const auto k = net.input_from_below("k", heads);
  net.softmax("softmax", net.matmul("scores", q, k));
  const Graph graph = with_backward_pass(std::move(net).take());

  EXPECT_TRUE(exchanges_of(graph, {.parallelism = Parallelism::kModel, .tensor_rows = 4, .data = 1})
                  .empty());
}

}  // namespace
}  // namespace cairn::plan
