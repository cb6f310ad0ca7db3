#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/net.hpp"

namespace cairn::model {
namespace {

constexpr double kSamples = 3.0;
constexpr double kSteps = 10.0;

Value rows(Net& net, double features) {
  return net.sequence(
      "x", {.samples = kSamples, .steps = kSteps, .channels = features}, TensorKind::kActivation);
}

const Operator& only(const Graph& graph, OperatorKind kind, Pass pass) {
  const Operator* found = nullptr;
  for (const Operator& op : graph.operators) {
    if (op.kind == kind && op.pass == pass) {
      EXPECT_EQ(found, nullptr);
      found = &op;
    }
  }
  if (found == nullptr) {
    throw Bug("no such operator");
  }
  return *found;
}

double bytes(const Graph& graph, const std::vector<Id<Tensor>>& tensors) {
  double sum = 0.0;
  for (const Id<Tensor> tensor : tensors) {
    sum += bytes_of(graph.tensor(tensor), Bytes(2.0)).si();
  }
  return sum;
}

// Dao et al. 2022: forward 4 b h s^2 d flops, backward 2.5 times that, half of both if causal.
TEST(Attention, TakesTheFlopsOfItsGemms) {
  for (const bool causal : {false, true}) {
    Net net("attention", kSamples);
    net.attention("attention", {rows(net, 3.0 * 8.0)}, {.heads = 2, .causal = causal});
    const Graph graph = with_backward_pass(std::move(net).take());
    const double forward = 4.0 * kSamples * 2.0 * kSteps * kSteps * 4.0 * (causal ? 0.5 : 1.0);

    EXPECT_DOUBLE_EQ(2.0 * only(graph, OperatorKind::kAttention, Pass::kForward).macs(), forward);
    EXPECT_DOUBLE_EQ(2.0 * only(graph, OperatorKind::kAttention, Pass::kDataGradient).macs(),
                     2.5 * forward);
  }
}

// Q, K, V and O in two bytes, one number of four bytes per row and head; nothing per score.
TEST(Attention, SavesItsActivationsAndOneNumberPerRowAndHead) {
  const double map = kSamples * kSteps * 8.0;
  for (const bool one_map : {true, false}) {
    Net net("attention", kSamples);
    if (one_map) {
      net.attention("attention", {rows(net, 24.0)}, {.heads = 2});
    } else {
      net.attention("attention", {rows(net, 8.0), rows(net, 8.0), rows(net, 8.0)}, {.heads = 2});
    }
    const Graph graph = with_backward_pass(std::move(net).take());
    const Operator& forward = only(graph, OperatorKind::kAttention, Pass::kForward);
    const Operator& backward = only(graph, OperatorKind::kAttention, Pass::kDataGradient);

    const double saved = 4.0 * map * 2.0 + kSamples * kSteps * 2.0 * 4.0;
    EXPECT_DOUBLE_EQ(bytes(graph, forward.saved), saved);
    EXPECT_DOUBLE_EQ(bytes(graph, backward.inputs), saved + 2.0 * map);
    EXPECT_DOUBLE_EQ(bytes(graph, backward.outputs), 3.0 * map * 2.0);
  }
}

TEST(Attention, RejectsIncompatibleShapes) {
  const auto attention = [](double features, std::uint32_t heads) {
    Net net("attention", kSamples);
    net.attention("attention", {rows(net, features)}, {.heads = heads});
  };
  EXPECT_THROW(attention(24.0, 3), ShapeError);  // 8 features in 3 heads
  EXPECT_THROW(attention(25.0, 1), ShapeError);  // not Q, K and V
  Net net("attention", kSamples);
  EXPECT_THROW(net.attention("two", {rows(net, 8.0), rows(net, 8.0)}, {.heads = 2}), ShapeError);
}

// dX reads x, dY and two numbers per row; so does dW, again.
TEST(LayerNorm, GradientsReadItsInputTwice) {
  Net net("norm", kSamples);
  net.layer_norm("norm", rows(net, 8.0));
  const Graph graph = with_backward_pass(std::move(net).take());
  const double map = kSamples * kSteps * 8.0 * 2.0;
  const double numbers = kSamples * kSteps * 2.0 * 4.0;

  const Operator& data = only(graph, OperatorKind::kNormalization, Pass::kDataGradient);
  const Operator& weight = only(graph, OperatorKind::kNormalization, Pass::kWeightGradient);
  EXPECT_DOUBLE_EQ(bytes(graph, data.inputs), 2.0 * map + numbers);
  EXPECT_DOUBLE_EQ(bytes(graph, data.outputs), map);
  EXPECT_DOUBLE_EQ(bytes(graph, weight.inputs), 2.0 * map + numbers);
  EXPECT_DOUBLE_EQ(bytes(graph, weight.outputs), 2.0 * 8.0 * 2.0);
}

TEST(Gelu, SavesItsInputAndOverwritesNothing) {
  Net net("gelu", kSamples);
  const Value x = rows(net, 8.0);
  const Value y = net.gelu("gelu", x);
  const Graph graph = with_backward_pass(std::move(net).take());
  const Operator& forward = only(graph, OperatorKind::kActivation, Pass::kForward);
  const Operator& backward = only(graph, OperatorKind::kActivation, Pass::kDataGradient);

  EXPECT_EQ(forward.saved, x.tensors);
  EXPECT_NE(graph.tensor(y.tensors.front()).storage, graph.tensor(x.tensors.front()).storage);
  EXPECT_NE(graph.tensor(backward.outputs.front()).storage,
            graph.tensor(backward.inputs.front()).storage);
}

// Log-probabilities are written once and read once; their gradient is written and read.
TEST(CrossEntropy, HasTrafficOfTwoInputsForwardAndFourBackward) {
  Net net("loss", kSamples);
  net.cross_entropy("loss", rows(net, 1000.0));
  const Graph graph = with_backward_pass(std::move(net).take());
  const double map = kSamples * kSteps * 1000.0 * 2.0;
  const double losses = kSamples * kSteps * 4.0;

  double forward = 0.0;
  double backward = 0.0;
  for (const Operator& op : graph.operators) {
    (op.pass == Pass::kForward ? forward : backward) +=
        bytes(graph, op.inputs) + bytes(graph, op.outputs);
  }
  EXPECT_DOUBLE_EQ(forward, 2.0 * map + losses);
  EXPECT_DOUBLE_EQ(backward, 4.0 * map + losses);
}

// In fp32, per logit: copied from two bytes (6), read for the maximum (4), subtraction (8),
// exponential (8), read for the sum (4), quotient (8); backward one kernel (8), copied back (6).
TEST(CrossEntropy, UnfusedMoves52BytesPerLogit) {
  Net net("loss", kSamples);
  net.unfused_cross_entropy("loss", rows(net, 1000.0));
  const Graph graph = with_backward_pass(std::move(net).take());
  const double logits = kSamples * kSteps * 1000.0;
  const double numbers = kSamples * kSteps * 4.0;

  double moved = 0.0;
  for (const Operator& op : graph.operators) {
    moved += bytes(graph, op.inputs) + bytes(graph, op.outputs);
  }
  EXPECT_DOUBLE_EQ(moved, 52.0 * logits + 5.0 * numbers);
}

// One vector per step for all samples; its gradient is the sum over samples.
TEST(Positions, AreOneVectorPerStep) {
  Net net("positions", kSamples);
  net.add_positions("places", rows(net, 8.0));
  const Graph graph = with_backward_pass(std::move(net).take());
  const Operator& gradient = only(graph, OperatorKind::kAdd, Pass::kWeightGradient);

  EXPECT_DOUBLE_EQ(count(graph).parameters, kSteps * 8.0);
  EXPECT_DOUBLE_EQ(graph.tensor(gradient.outputs.front()).elements, kSteps * 8.0);
  EXPECT_DOUBLE_EQ(graph.tensor(gradient.inputs.front()).elements, kSamples * kSteps * 8.0);
}

TEST(FullyConnected, HasABiasOnRequest) {
  for (const bool bias : {false, true}) {
    Net net("fc", kSamples);
    net.fully_connected("fc", rows(net, 8.0), 5.0, bias);
    const Graph graph = with_backward_pass(std::move(net).take());
    std::size_t updates = 0;
    for (const Operator& op : graph.operators) {
      updates += op.kind == OperatorKind::kUpdate ? 1 : 0;
    }

    EXPECT_DOUBLE_EQ(count(graph).parameters, 8.0 * 5.0 + (bias ? 5.0 : 0.0));
    EXPECT_EQ(updates, bias ? 2U : 1U);
  }
}

}  // namespace
}  // namespace cairn::model
