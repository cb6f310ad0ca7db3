#include "cairn/model/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

using testing::HasSubstr;

Graph from_text(const std::string& text, double batch = 1.0) {
  return build_model({parse_config(text, "model.yaml"), "model"}, batch).value();
}

std::string complaint(const std::string& text) {
  try {
    from_text(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelFile, AMapIsNamedAfterItsNetworkByDefault) {
  const auto name_of = [](const std::string& text) {
    return build_model(model_source(parse_config(text, "design.yaml"), Folders{}), 1.0)->name;
  };

  EXPECT_EQ(name_of("{network: alexnet}"), "alexnet");
  EXPECT_EQ(name_of("{network: alexnet, name: mine}"), "mine");
}

TEST(ModelFile, ABatchThatIsTooLargeIsNotTheModelsFault) {
  // 1e9 elements of a sample, of 1e15 at most.
  const std::string listed =
      "{input: {channels: 1000, height: 1000, width: 1000}, layers: [{type: relu}]}";
  for (const std::string& text : {listed, std::string("{network: gemm, inner: 1000000000}")}) {
    const ModelSource model{parse_config(text, "model.yaml"), "model"};
    EXPECT_TRUE(build_model(model, 1e6));

    const auto too_large = build_model(model, 2e6);

    ASSERT_FALSE(too_large) << text;
    EXPECT_EQ(too_large.reason().lack, Lack::kBatch);
    EXPECT_EQ(too_large.reason().detail,
              "2,000,000 samples make a tensor of 2e+15 elements (expected at most 1e+15)");
  }
}

TEST(ModelFile, CanListLayers) {
  const Graph graph = from_text(R"(
name: lenet
input: {channels: 1, height: 28, width: 28}
layers:
  - {type: convolution, channels: 20, kernel: 5}
  - {type: pool}
  - {type: convolution, channels: 50, kernel: 5}
  - {type: pool}
  - {type: fully_connected, features: 500}
  - {type: relu}
  - {type: fully_connected, features: 10}
  - {type: softmax}
)",
                                2.0);

  // 28 -> 24 -> 12 -> 8 -> 4.
  const double macs =
      24.0 * 24 * 25 * 20 + 8.0 * 8 * 25 * 20 * 50 + 4.0 * 4 * 50 * 500 + 500.0 * 10;
  EXPECT_EQ(graph.name, "lenet");
  EXPECT_EQ(graph.layers, 4U);
  EXPECT_DOUBLE_EQ(count(graph).macs, 2.0 * macs);
  EXPECT_DOUBLE_EQ(count(graph).parameters,
                   25.0 * 20 + 25.0 * 20 * 50 + 16.0 * 50 * 500 + 500.0 * 10);
}

TEST(ModelFile, CanNameANetworkAndItsParameters) {
  const Graph graph = from_text("network: resnet\nbottleneck: true\nprojections: true\n");

  EXPECT_DOUBLE_EQ(count(graph).macs,
                   count(build(ResNet{.bottleneck = true, .projections = true}, 1.0, {})).macs);
}

TEST(ModelFile, CanSetTheNumberOfLayersOfANetwork) {
  EXPECT_EQ(from_text("network: recurrent\nlayers: 3\nsteps: 2\n").layers, 3U * 2U);
  EXPECT_THAT(complaint("network: vgg\nlayers: 3\n"),
              HasSubstr("model.yaml:2: layers: unknown key"));
  EXPECT_THAT(complaint("network: vgg\nlayers: [{type: relu}]\n"),
              HasSubstr("has a network and layers"));
}

TEST(ModelFile, RejectsOptionsThatNoLayerUses) {
  EXPECT_THAT(complaint("network: vgg\ninput: {height: 64}\n"),
              HasSubstr("model.yaml:2: input: unknown key"));
  EXPECT_THAT(complaint("network: gpt\npool_saves: maps\n"),
              HasSubstr("model.yaml:2: pool_saves: has no effect (used only with max-pooling"));
  EXPECT_THAT(complaint("network: gpt\nactivation_saves: mask\n"),
              HasSubstr("model.yaml:2: activation_saves: has no effect (used only with relu"));
  EXPECT_THAT(
      complaint("network: vgg\nrecurrent_kernels: by_layer\n"),
      HasSubstr("model.yaml:2: recurrent_kernels: has no effect (used only with recurrent"));
  for (const char* used : {"network: vgg\npool_saves: maps\nactivation_saves: mask\n",
                           "network: recurrent\nrecurrent_kernels: by_layer\n",
                           "network: recurrent\nrecurrent_kernels: by_step\n"}) {
    EXPECT_EQ(complaint(used), "");
  }
}

TEST(ModelFile, LayersReadOthersByName) {
  const Graph graph = from_text(R"(
input: {channels: 8}
layers:
  - {type: fully_connected, name: trunk, features: 8}
  - {type: fully_connected, features: 8}
  - {type: add, from: [trunk, previous]}
  - {type: concat, from: [trunk, previous]}
)");

  EXPECT_EQ(graph.operators.back().inputs.size(), 2U);
  EXPECT_DOUBLE_EQ(graph.tensor(graph.operators.back().outputs.front()).elements, 16.0);
}

TEST(ModelFile, RecurrentLayersUnrollOverTheSteps) {
  const Graph graph = from_text(R"(
input: {channels: 512, steps: 7}
layers:
  - {type: lstm, hidden: 256}
  - {type: gru, hidden: 128, last_step: true}
  - {type: fully_connected, features: 10}
)");

  EXPECT_EQ(graph.layers, 7U + 7U + 1U);
  EXPECT_DOUBLE_EQ(count(graph).parameters,
                   4.0 * 256 * (512 + 256) + 3.0 * 128 * (256 + 128) + 128.0 * 10);
}

TEST(ModelFile, ErrorsNameFileLineAndKey) {
  EXPECT_THAT(complaint("network: resnett\n"),
              HasSubstr("model.yaml:1: network: \"resnett\" is not a network (did you mean "
                        "\"resnet\"?)"));
  EXPECT_THAT(complaint("network: vgg\nstagess: [1, 1, 1, 1, 1]\n"), HasSubstr("stages"));
  EXPECT_THAT(complaint("network: vgg\nstages: [1, 1]\n"), HasSubstr("2 stages (expected 5)"));
  EXPECT_THAT(complaint("input: {channels: 3}\n"), HasSubstr("neither a network nor layers"));
  EXPECT_THAT(complaint("layers: [{type: relu}]\n"), HasSubstr("has no input"));

  const std::string shapes = complaint(R"(
input: {channels: 3, height: 8, width: 8}
layers:
  - {type: convolution, name: wide, channels: 4}
  - {type: convolution, channels: 8, kernel: 9}
)");
  EXPECT_THAT(shapes, HasSubstr("model.yaml:5: layers[1]"));
  EXPECT_THAT(shapes, HasSubstr("a window of 9 does not fit into 8 x 8"));

  EXPECT_THAT(complaint("input: {channels: 3}\nlayers:\n  - {type: add, from: [input, nobody]}\n"),
              HasSubstr("layers[0].from[1]: \"nobody\" is not a layer before this one"));
  EXPECT_THAT(complaint("input: {channels: 3}\nlayers:\n  - {type: pol}\n"),
              HasSubstr("did you mean \"pool\"?"));
  EXPECT_THAT(complaint("input: {channels: 3}\nlayers:\n"
                        "  - {type: fully_connected, features: 4}\n"
                        "  - {type: add, from: [input, previous]}\n"),
              HasSubstr("1 samples of 4 cannot be added to 1 samples of 3"));
}

TEST(ModelFile, TooManyTensorsAreRejectedBeforeTheyAreAllocated) {
  EXPECT_EQ(complaint("network: recurrent\nsteps: 100000000\n"),
            "model.yaml:1: the network has at least 100000000 tensors (expected at most 100000)");
  // Two for each step, the weight and the initial state, besides the input's.
  EXPECT_EQ(complaint("network: recurrent\nsteps: 40000\n"),
            "model.yaml:1: the network has at least 120002 tensors (expected at most 100000)");
  EXPECT_EQ(complaint("input: {channels: 1, steps: 4000000000}\nlayers: [{type: relu}]\n"),
            "model.yaml:1: input: the network has at least 4000000000 tensors "
            "(expected at most 100000)");
  EXPECT_THAT(complaint("input: {channels: 1, steps: 60000}\nlayers:\n  - {type: relu}\n"),
              HasSubstr("model.yaml:3: layers[0]: relu \"relu1\": the network has at least "));
  for (const char* text : {"network: video\nframes: 1000000\n",
                           "network: video\nframes: 4000000000\nframes_at_once: 4000000000\n",
                           "network: language_model\nsteps: 4000000000\n",
                           "network: recurrent\nlayers: 4000000000\n",
                           "network: resnet\nblocks: [1, 1, 1, 4000000000]\n",
                           "network: vgg\nstages: [1, 1, 1, 1, 4000000000]\n"}) {
    EXPECT_THAT(complaint(text), HasSubstr("model.yaml:1: the network has at least ")) << text;
  }
}

TEST(ModelFile, RejectsAWrongNumberOfInputs) {
  const std::string input = "input: {channels: 3}\nlayers:\n";

  EXPECT_THAT(complaint(input + "  - {type: concat, from: []}\n"),
              HasSubstr("layers[0].from: a list has 0 inputs (expected at least 1)"));
  EXPECT_THAT(complaint(input + "  - {type: relu, from: [input, input]}\n"),
              HasSubstr("layers[0].from: a list has 2 inputs (expected 1)"));
  EXPECT_THAT(complaint(input + "  - {type: relu, from: []}\n"),
              HasSubstr("layers[0].from: a list has 0 inputs (expected 1)"));
}

}  // namespace
}  // namespace cairn::model
