#include "cairn/kernel/work.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"

namespace cairn::kernel {
namespace {

using model::Graph;
using model::Net;
using model::Operator;
using model::OperatorKind;
using model::Pass;

const Operator& find(const Graph& graph, const std::string& name, Pass pass) {
  for (const Operator& op : graph.operators) {
    if (op.name == name && op.pass == pass) {
      return op;
    }
  }
  throw Bug("no such operator");
}

// y (2 x 5) = x (2 x 3) w (3 x 5), 2 bytes an element.
TEST(Work, FullyConnectedLayerAssignsOperandsToSides) {
  Net net("fc", 2.0);
  const auto x = net.fully_connected("x", net.input("in", {.samples = 2.0, .channels = 4}), 3);
  net.fully_connected("y", x, 5);
  const Graph graph = with_backward_pass(std::move(net).take());
  const Bytes x_bytes(2.0 * 3 * 2);
  const Bytes y_bytes(2.0 * 5 * 2);
  const Bytes w_bytes(3.0 * 5 * 2);

  const Work forward = work_of(graph, find(graph, "y", Pass::kForward), chip::Precision::kFp16);
  const Work data = work_of(graph, find(graph, "y", Pass::kDataGradient), chip::Precision::kFp16);
  const Work weight =
      work_of(graph, find(graph, "y", Pass::kWeightGradient), chip::Precision::kFp16);

  EXPECT_EQ(forward.left, x_bytes);
  EXPECT_EQ(forward.right, w_bytes);
  EXPECT_EQ(forward.other, y_bytes);
  EXPECT_EQ(data.left, y_bytes);
  EXPECT_EQ(data.right, w_bytes);
  EXPECT_EQ(data.other, x_bytes);
  EXPECT_EQ(weight.left, x_bytes);
  EXPECT_EQ(weight.right, y_bytes);
  EXPECT_EQ(weight.other, w_bytes);
}

// Three steps of y (4 x 5) = a (4 x 3) b (5 x 3)^T, a tensor for each.
TEST(Work, MatmulOfSeveralStepsAssignsOperandsToSides) {
  Net net("steps", 1.0);
  const auto input = [&](const char* name, double rows) {
    return net.input_from_below(name, {.steps = 3, .height = rows, .width = 3});
  };
  net.matmul("y", input("a", 4), input("b", 5));
  const Graph graph = with_backward_pass(std::move(net).take());
  const auto sides = [&](const Operator& op) {
    const Work work = work_of(graph, op, chip::Precision::kInt8);
    return std::pair(work.left.si(), work.right.si());
  };

  EXPECT_EQ(sides(graph.operators[0]), std::pair(3.0 * 4 * 3, 3.0 * 5 * 3));
  EXPECT_EQ(sides(graph.operators[1]), std::pair(3.0 * 4 * 5, 3.0 * 5 * 3));  // da = dy b
  EXPECT_EQ(sides(graph.operators[2]), std::pair(3.0 * 4 * 5, 3.0 * 4 * 3));  // db = dy^T a
}

TEST(Work, ViewsAreFree) {
  Net net("video", 1.0);
  const auto frames = net.fully_connected("x", net.input("in", {.steps = 3, .channels = 4}), 4);
  net.join_steps({frames});
  const Graph graph = std::move(net).take();

  EXPECT_EQ(graph.operators.back().outputs.size(), 3U);
  EXPECT_EQ(work_of(graph, graph.operators.back(), chip::Precision::kFp16).other, Bytes(0.0));
}

TEST(Work, EmbeddingTouchesOnlyTheRowsLookedUp) {
  Net net("table", 8.0);
  const auto words = net.input("words", {.samples = 8.0, .channels = 3});
  net.embedding("rows", words, 1e6, 64.0);
  const Graph graph = with_backward_pass(std::move(net).take());
  const Bytes rows(8.0 * 3 * 64 * 4);
  const Bytes numbers(8.0 * 3 * 4);

  const Work forward = work_of(graph, find(graph, "rows", Pass::kForward), chip::Precision::kFp32);
  const Work backward =
      work_of(graph, find(graph, "rows", Pass::kWeightGradient), chip::Precision::kFp32);

  EXPECT_EQ(forward.bytes(), numbers + rows + rows);
  EXPECT_EQ(backward.bytes(), rows + numbers + rows);
}

// All pooled rows are read; updated rows are read and written, with their optimizer state.
TEST(Work, EmbeddingBagTouchesTheRowsLookedUpAndTheirSums) {
  const auto graph_of = [](const model::Training& training) {
    Net net("tables", 8.0);
    net.embedding_bag("bag", {.tables = 5.0, .rows = 1e6, .width = 64.0, .pooled = 3.0});
    return with_backward_pass(std::move(net).take(), training);
  };
  const double count = 8.0 * 5 * 3;
  const Bytes numbers(count * 8);
  const Bytes rows(count * 64 * 2);
  const Bytes sums(8.0 * 5 * 64 * 2);

  const Graph graph = graph_of({});
  const Graph adam = graph_of({.optimizer = model::Optimizer::kAdam});
  const auto precision = chip::Precision::kFp16;
  EXPECT_EQ(work_of(graph, find(graph, "bag", Pass::kForward), precision).bytes(),
            numbers + rows + sums);
  EXPECT_EQ(work_of(graph, find(graph, "bag", Pass::kUpdate), precision).bytes(),
            sums + numbers + 2.0 * rows);
  EXPECT_EQ(work_of(adam, find(adam, "bag", Pass::kUpdate), precision).bytes(),
            sums + numbers + 2.0 * rows + 2.0 * 2.0 * Bytes(count * 64 * 4));
}

// The second step accumulates only the looked-up rows of the table's gradient.
TEST(Work, EmbeddingAccumulatesOnlyTheRowsLookedUp) {
  Net net("table", 8.0);
  net.embedding("rows", net.input("words", {.samples = 8.0, .steps = 2}), 1e6, 64.0);
  const Graph graph = with_backward_pass(std::move(net).take());
  const Operator& second = graph.operators[3];
  const Bytes rows(8.0 * 64 * 4);
  const Bytes numbers(8.0 * 4);

  ASSERT_EQ(second.inputs.size(), 3U);  // gradient of the rows, their indices, the table's gradient
  EXPECT_EQ(work_of(graph, second, chip::Precision::kFp32).bytes(), rows + numbers + rows + rows);
}

}  // namespace
}  // namespace cairn::kernel
