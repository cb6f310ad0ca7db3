// Llama models (Touvron et al. 2023): published parameter counts, and the layers they add to a GPT.
#include <gtest/gtest.h>

#include <utility>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

constexpr double kSamples = 3.0;
constexpr double kSteps = 10.0;

Value rows(Net& net, double features) {
  return net.sequence(
      "x", {.samples = kSamples, .steps = kSteps, .channels = features}, TensorKind::kActivation);
}

// Bytes read and written by the operators of a pass, two per element.
double traffic(const Graph& graph, bool forward) {
  double bytes = 0.0;
  for (const Operator& op : graph.operators) {
    if ((op.pass == Pass::kForward) == forward && op.kind != OperatorKind::kConcat) {
      for (const auto* tensors : {&op.inputs, &op.outputs}) {
        for (const Id<Tensor> tensor : *tensors) {
          bytes += bytes_of(graph.tensor(tensor), Bytes(2.0)).si();
        }
      }
    }
  }
  return bytes;
}

constexpr Gpt kLlama2{.layers = 32,
                      .hidden = 4096,
                      .heads = 32,
                      .vocab = 32000,
                      .seq = 4096,
                      .mlp = Mlp::kGated,
                      .intermediate = 11008,
                      .norm = Norm::kRms,
                      .positions = Positions::kRotary,
                      .bias = false};

// Hugging Face's counts for Llama-2 7B, Llama-3 8B (8 KV heads) and TinyLlama.
TEST(Llama, HasThePublishedParameters) {
  EXPECT_DOUBLE_EQ(count(build(kLlama2, 1.0, {})).parameters, 6738415616.0);
  Gpt three = kLlama2;
  three.vocab = 128256;
  three.intermediate = 14336;
  three.kv_heads = 8;
  EXPECT_DOUBLE_EQ(count(build(three, 1.0, {})).parameters, 8030261248.0);
  Gpt tiny = kLlama2;
  tiny.layers = 22;
  tiny.hidden = 2048;
  tiny.intermediate = 5632;
  tiny.kv_heads = 4;
  EXPECT_DOUBLE_EQ(count(build(tiny, 1.0, {})).parameters, 1100048384.0);
}

// Per token and block: queries and output projection h^2 each, keys and values h^2 g / H each,
// three of h F, and attention h s; the head h V.
TEST(Llama, HasTheMacsOfItsFormula) {
  const double h = 64.0;
  const double s = 32.0;
  const double kv = 2.0 / 8.0;
  const Gpt gpt{.layers = 3,
                .hidden = h,
                .heads = 8,
                .vocab = 500.0,
                .seq = 32,
                .mlp = Mlp::kGated,
                .intermediate = 176.0,
                .norm = Norm::kRms,
                .positions = Positions::kRotary,
                .kv_heads = 2,
                .bias = false};
  const double block = 2.0 * h * h + 2.0 * h * h * kv + 3.0 * h * 176.0 + h * s;

  EXPECT_DOUBLE_EQ(count(build(gpt, 7.0, {})).macs, 7.0 * s * (3.0 * block + h * 500.0));
}

TEST(Llama, ExplicitDefaultsChangeNothing) {
  const Gpt plain{.layers = 2, .hidden = 64.0, .heads = 4, .vocab = 100.0, .seq = 16};
  Gpt with_defaults = plain;
  with_defaults.kv_heads = 4;
  with_defaults.intermediate = 256.0;
  const Counts one = count(build(plain, 4.0, {}));
  const Counts other = count(build(with_defaults, 4.0, {}));

  EXPECT_DOUBLE_EQ(one.macs, other.macs);
  EXPECT_DOUBLE_EQ(one.parameters, other.parameters);
}

TEST(Llama, KvHeadsMustDivideHeads) {
  Gpt gpt = kLlama2;
  gpt.kv_heads = 5;

  EXPECT_THROW(build(gpt, 1.0, {}), ShapeError);
}

TEST(Llama, StoredScoresNeedLearnedPositions) {
  Gpt gpt = kLlama2;
  gpt.scores = Scores::kStored;

  EXPECT_THROW(build(gpt, 1.0, {}), ShapeError);
}

// In activations of F features: SiLU reads one and writes one, the product reads two and writes
// one. Backward, each factor's gradient reads two and writes one, and so does SiLU's.
TEST(Gated, HasTrafficOfFiveActivationsForwardAndNineBackward) {
  Net net("gated", kSamples);
  const std::vector<Value> parts = net.split("parts", rows(net, 16.0), {8.0, 8.0});
  net.multiply("gate", net.silu("silu", parts[0]), parts[1]);
  const Graph graph = with_backward_pass(std::move(net).take());
  const double map = kSamples * kSteps * 8.0 * 2.0;

  EXPECT_DOUBLE_EQ(traffic(graph, true), 5.0 * map);
  EXPECT_DOUBLE_EQ(traffic(graph, false), 9.0 * map);
}

TEST(Split, TakesEveryFeatureOnce) {
  Net net("split", kSamples);
  const Value x = rows(net, 16.0);

  EXPECT_THROW(net.split("parts", x, {8.0, 4.0}), ShapeError);
  for (const Value& part : net.split("parts", x, {12.0, 4.0})) {
    EXPECT_EQ(part.tensors.size(), 1U);
  }
}

// RoPE reads and writes its activation and saves nothing: the rotation is inverted.
TEST(Rotary, HasTrafficOfTwoActivationsEachWay) {
  Net net("rotary", kSamples);
  net.rotary("turned", rows(net, 16.0));
  const Graph graph = with_backward_pass(std::move(net).take());
  const double map = kSamples * kSteps * 16.0 * 2.0;

  EXPECT_DOUBLE_EQ(traffic(graph, true), 2.0 * map);
  EXPECT_DOUBLE_EQ(traffic(graph, false), 2.0 * map);
}

// A scale per feature and no shift; one saved number per row, not two.
TEST(RmsNorm, HasHalfTheNumbersOfALayerNorm) {
  const auto norm = [](bool rms) {
    Net net("norm", kSamples);
    rms ? net.rms_norm("norm", rows(net, 16.0)) : net.layer_norm("norm", rows(net, 16.0));
    return std::move(net).take();
  };
  const Graph layer = norm(false);
  const Graph rms = norm(true);
  const auto numbers = [](const Graph& graph) {
    return graph.tensor(graph.operators.front().outputs.back()).elements;
  };

  EXPECT_DOUBLE_EQ(count(rms).parameters, 16.0);
  EXPECT_DOUBLE_EQ(count(rms).parameters, 0.5 * count(layer).parameters);
  EXPECT_DOUBLE_EQ(numbers(rms), 0.5 * numbers(layer));
}

// Grouped-query attention: eight heads of Q, two of K and V.
TEST(Attention, GroupsOfQueryHeadsShareKvHeads) {
  Net net("attention", kSamples);
  net.attention("attention",
                {rows(net, 64.0), rows(net, 16.0), rows(net, 16.0)},
                {.heads = 8, .key_heads = 2});
  const Graph graph = std::move(net).take();
  const Operator& op = graph.operators.back();

  EXPECT_DOUBLE_EQ(op.macs(), 2.0 * kSamples * 8.0 * kSteps * kSteps * 8.0);
  EXPECT_DOUBLE_EQ(graph.tensor(op.outputs.front()).elements, kSamples * kSteps * 64.0);
}

}  // namespace
}  // namespace cairn::model
