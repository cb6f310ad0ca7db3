#include "cairn/model/networks/networks.hpp"

#include <gtest/gtest.h>

#include "cairn/model/parse.hpp"

namespace cairn::model {
namespace {

// Published counts per sample: multiply-accumulates and weights in millions, and the elements in
// millions that contractions read and write.
struct Published {
  const char* name;
  Graph graph;
  std::uint32_t layers;
  double mega_macs;
  double mega_parameters;
  double mega_inputs;
  double mega_outputs;
};

Graph recurrent(Cell cell, double hidden, std::uint32_t steps) {
  return build(RecurrentNet{.cell = cell, .hidden = hidden, .steps = steps}, 1.0, {});
}

std::vector<Published> published() {
  std::vector<Published> rows;
  rows.push_back({"AlexNet", build(AlexNet{}, 1.0, {}), 8, 1135, 62.4, 0.415, 0.66});
  // The published 1.869 M omit the outputs of the pools inside the inception modules, each as large
  // as the module's input.
  const double pooled =
      (192 + 256) * 28.0 * 28 + (480 + 3 * 512 + 528) * 14.0 * 14 + 2 * 832 * 7.0 * 7;
  rows.push_back(
      {"GoogLeNet", build(GoogLeNet{}, 1.0, {}), 58, 1583, 7.0, 1.869 + pooled / 1e6, 3.23});
  rows.push_back({"VGG-E", build(Vgg{}, 1.0, {}), 19, 19632, 143.7, 10.42, 14.86});
  rows.push_back({"ResNet-34", build(ResNet{}, 1.0, {}), 34, 3644, 21.6, 3.086, 3.56});
  rows.push_back({"GEMV", recurrent(Cell::kVanilla, 2560, 50), 50, 655, 13.1, 0.256, 0.128});
  rows.push_back({"LSTM-1", recurrent(Cell::kLstm, 1024, 25), 25, 210, 8.4, 0.051, 0.026});
  rows.push_back({"LSTM-2", recurrent(Cell::kLstm, 4096, 25), 25, 3355, 134.2, 0.205, 0.102});
  rows.push_back({"GRU", recurrent(Cell::kGru, 2816, 187), 187, 8897, 47.6, 1.053, 0.527});
  return rows;
}

TEST(Networks, HaveThePublishedCounts) {
  for (const Published& row : published()) {
    SCOPED_TRACE(row.name);
    const Counts counts = count(row.graph);

    EXPECT_EQ(row.graph.layers, row.layers);
    // The published figures are rounded to two to four digits.
    EXPECT_NEAR(counts.macs / 1e6, row.mega_macs, 0.005 * row.mega_macs);
    EXPECT_NEAR(counts.parameters / 1e6, row.mega_parameters, 0.01 * row.mega_parameters);
    EXPECT_NEAR(counts.contraction_inputs / 1e6, row.mega_inputs, 0.012 * row.mega_inputs);
    EXPECT_NEAR(counts.contraction_outputs / 1e6, row.mega_outputs, 0.02 * row.mega_outputs);
  }
}

TEST(Networks, GroupsHalveTheWorkOfThreeConvolutions) {
  const double whole = count(build(AlexNet{}, 1.0, {})).macs;
  const double grouped = count(build(AlexNet{.grouped = true}, 1.0, {})).macs;

  // conv2: 27^2 positions, 5^2 x 96 x 256; conv4 and conv5: 13^2, 3^2 x 384 x (384 + 256).
  const double conv2 = 27.0 * 27 * 25 * 96 * 256;
  const double conv4_5 = 13.0 * 13 * 9 * 384 * (384 + 256);
  EXPECT_DOUBLE_EQ(whole - grouped, 0.5 * (conv2 + conv4_5));
}

TEST(Networks, ResNet50HasTheUsualCounts) {
  const Graph graph =
      build(ResNet{.bottleneck = true, .projections = true, .affine = true}, 1.0, {});
  const Counts counts = count(graph);

  // torchvision's resnet50 has 25,557,032 parameters, 1,000 of them the bias of its last layer; its
  // 4.09 GMAC put the stride at the 3x3 convolution, as here.
  EXPECT_DOUBLE_EQ(counts.parameters, 25557032.0 - 1000.0);
  EXPECT_NEAR(counts.macs, 4.09e9, 0.01e9);
}

TEST(Networks, EverythingButWeightsGrowsWithTheBatch) {
  for (const double batch : {1.0, 7.0, 512.0}) {
    const Counts one = count(build(GoogLeNet{}, 1.0, {}));
    const Counts many = count(build(GoogLeNet{}, batch, {}));

    EXPECT_DOUBLE_EQ(many.macs, batch * one.macs);
    EXPECT_DOUBLE_EQ(many.contraction_inputs, batch * one.contraction_inputs);
    EXPECT_DOUBLE_EQ(many.parameters, one.parameters);
  }
}

TEST(Networks, VideoFramesPerKernelDoNotChangeTheCounts) {
  const auto video = [](std::uint32_t frames, std::uint32_t at_once) {
    return build(VideoNet{.frames = frames, .frames_at_once = at_once}, 4.0, {});
  };
  const Counts whole = count(video(8, 8));
  for (const std::uint32_t at_once : {1U, 3U, 8U, 100U}) {
    SCOPED_TRACE(at_once);
    const Counts counts = count(video(8, at_once));
    EXPECT_DOUBLE_EQ(counts.macs, whole.macs);
    EXPECT_DOUBLE_EQ(counts.parameters, whole.parameters);
    EXPECT_DOUBLE_EQ(counts.contraction_inputs, whole.contraction_inputs);
  }
  EXPECT_DOUBLE_EQ(count(video(16, 1)).parameters, whole.parameters);
  EXPECT_DOUBLE_EQ(count(video(16, 1)).macs, 2.0 * whole.macs);
}

TEST(Networks, TheLanguageModelHasTheCountsOfItsFormula) {
  const double hidden = 512.0;
  const double vocabulary = 3000.0;
  const Counts counts = count(
      build(LanguageModel{.hidden = hidden, .vocabulary = vocabulary, .layers = 2, .steps = 20},
            7.0,
            {}));

  // Four gates of each cell read x and h; every token has a row in the embedding and one in the
  // output layer.
  const double cell = 2.0 * hidden * 4.0 * hidden;
  EXPECT_DOUBLE_EQ(counts.parameters, 2.0 * cell + 2.0 * vocabulary * hidden);
  EXPECT_DOUBLE_EQ(counts.macs, 7.0 * 20.0 * (2.0 * cell + vocabulary * hidden));
}

// One kernel, several, or one per step.
TEST(Networks, StepsPerKernelOfTheOutputLayerDoNotChangeTheCounts) {
  const auto of = [](std::uint32_t at_once) {
    return count(build(LanguageModel{.steps = 20, .steps_at_once = at_once}, 7.0, {}));
  };
  for (const std::uint32_t at_once : {0U, 3U, 20U, 100U}) {
    EXPECT_DOUBLE_EQ(of(at_once).macs, of(1).macs);
    EXPECT_DOUBLE_EQ(of(at_once).parameters, of(1).parameters);
  }
}

// The `params` of data/measurements/h200/training.csv: what PyTorch counts.
TEST(Networks, GptsHaveTheParametersOfTheMeasuredModels) {
  const auto parameters =
      [](std::uint32_t layers, double hidden, std::uint32_t heads, std::uint32_t seq) {
        return count(build(Gpt{.layers = layers, .hidden = hidden, .heads = heads, .seq = seq},
                           1.0,
                           {}))
            .parameters;
      };
  EXPECT_DOUBLE_EQ(parameters(12, 768.0, 12, 1024), 163109376.0);
  EXPECT_DOUBLE_EQ(parameters(24, 1024.0, 16, 1024), 406382592.0);
  EXPECT_DOUBLE_EQ(parameters(24, 2048.0, 16, 1024), 1416744960.0);
  EXPECT_DOUBLE_EQ(parameters(12, 4096.0, 32, 2048), 2837045248.0);
}

TEST(Networks, ATiedGptHasOneWeightMatrixLess) {
  const Gpt gpt{.layers = 1};
  Gpt tied = gpt;
  tied.tied = true;

  const Counts untied_counts = count(build(gpt, 2.0, {}));
  const Counts tied_counts = count(build(tied, 2.0, {}));
  EXPECT_DOUBLE_EQ(untied_counts.parameters - tied_counts.parameters, gpt.vocab * gpt.hidden);
  EXPECT_DOUBLE_EQ(untied_counts.macs, tied_counts.macs);
}

// Per block, in activations of N T h: inputs and outputs of the two norms (4), Q, K, V (3), the
// output of attention (1), and GELU's input and output (8).
TEST(Networks, ABlockOfAGptSavesSixteenActivations) {
  const auto saved_elements = [](std::uint32_t layers) {
    const Graph graph = build(
        Gpt{.layers = layers, .hidden = 64.0, .heads = 4, .vocab = 100.0, .seq = 32}, 7.0, {});
    std::vector<bool> saved(graph.tensors.size(), false);
    for (const Operator& op : graph.operators) {
      for (const Id<Tensor> tensor : op.saved) {
        saved[tensor.index()] = graph.tensor(tensor).kind == TensorKind::kActivation;
      }
    }
    double elements = 0.0;
    for (std::size_t t = 0; t < saved.size(); ++t) {
      elements += saved[t] ? graph.tensors[t].elements : 0.0;
    }
    return elements;
  };

  EXPECT_DOUBLE_EQ(saved_elements(3) - saved_elements(2), 16.0 * 7.0 * 32.0 * 64.0);
}

// A block with hidden size h and sequence length s: 12 h^2 MACs per token, and 2 h s / 2 of
// attention.
TEST(Networks, AGptHasTheMacsOfItsFormula) {
  const double h = 64.0;
  const double s = 32.0;
  const double vocab = 500.0;
  const Counts counts =
      count(build(Gpt{.layers = 3, .hidden = h, .heads = 4, .vocab = vocab, .seq = 32}, 7.0, {}));

  EXPECT_DOUBLE_EQ(counts.macs, 7.0 * s * (3.0 * (12.0 * h * h + h * s) + h * vocab));
}

TEST(Networks, AGemmIsASingleGemm) {
  const Counts counts = count(build(Gemm{.columns = 30.0, .inner = 20.0}, 10.0, {}));

  EXPECT_DOUBLE_EQ(counts.macs, 30.0 * 20.0 * 10.0);
  EXPECT_DOUBLE_EQ(counts.parameters, 30.0 * 20.0);
}

TEST(Net, LayersShareWeightsByNameOnRequest) {
  const auto two_layers = [](bool share, double features) {
    Net net("two", 1.0);
    if (share) {
      net.share_weights_by_name();
    }
    const Value x = net.input("x", {.channels = 10});
    net.fully_connected("fc", net.fully_connected("fc", x, 10), features);
    return count(std::move(net).take()).parameters;
  };
  EXPECT_DOUBLE_EQ(two_layers(false, 10), 200.0);
  EXPECT_DOUBLE_EQ(two_layers(true, 10), 100.0);
  EXPECT_THROW(two_layers(true, 11), ShapeError);
}

}  // namespace
}  // namespace cairn::model
