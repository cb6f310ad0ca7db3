#include "cairn/model/layer_types.hpp"

#include <array>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Convolution>& schema_of(const Convolution*) {
  static const auto kSchema =
      Schema<Convolution>("convolution", "a square window over each map")
          .required("channels", &Convolution::channels, "of the output", "64")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("kernel", &Convolution::kernel, "side of the window")
          .at_least(1)
          .optional("stride", &Convolution::stride, "positions from one window to the next")
          .at_least(1)
          .optional("pad", &Convolution::pad, "zeros around the map")
          .optional("groups", &Convolution::groups, "groups of channels that do not mix")
          .at_least(1);
  return kSchema;
}

const Schema<AttentionHeads>& schema_of(const AttentionHeads*) {
  static const auto kSchema =
      Schema<AttentionHeads>("attention", "of each step to the others, scores never stored")
          .required("heads", &AttentionHeads::heads, "that the features are cut into", "12")
          .at_least(1)
          .optional("causal", &AttentionHeads::causal, "a step sees itself and those before it");
  return kSchema;
}

const Schema<Pool>& schema_of(const Pool*) {
  static const auto kSchema =
      Schema<Pool>("pool", "the maximum or the average of a square window")
          .optional("kernel", &Pool::kernel, "side of the window")
          .at_least(1)
          .optional("stride", &Pool::stride, "positions from one window to the next")
          .at_least(1)
          .optional("pad", &Pool::pad, "zeros around the map")
          .optional("average", &Pool::average, "the average instead of the maximum")
          .optional("ceiling", &Pool::ceiling, "windows may reach over the end of the map");
  return kSchema;
}

namespace {

struct NoParameters {};

const Schema<NoParameters>& schema_of(const NoParameters*) {
  static const Schema<NoParameters> kSchema("layer without parameters");
  return kSchema;
}

struct Features {
  double features = 1.0;
  bool bias = false;
};

const Schema<Features>& schema_of(const Features*) {
  static const auto kSchema =
      Schema<Features>("fully_connected", "every input to every output")
          .required("features", &Features::features, "outputs", "4096")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("bias", &Features::bias, "adds a number to each output");
  return kSchema;
}

struct Normalize {
  bool affine = false;
};

const Schema<Normalize>& schema_of(const Normalize*) {
  static const auto kSchema =
      Schema<Normalize>("normalization", "over the batch")
          .optional("affine", &Normalize::affine, "has a scale and a shift per channel");
  return kSchema;
}

struct LayerNorm {
  bool affine = true;
};

const Schema<LayerNorm>& schema_of(const LayerNorm*) {
  static const auto kSchema =
      Schema<LayerNorm>("layer_norm", "over the features of each step")
          .optional("affine", &LayerNorm::affine, "has a scale and a shift per feature");
  return kSchema;
}

struct Table {
  double rows = 1.0;
  double width = 1.0;
};

const Schema<Table>& schema_of(const Table*) {
  static const auto kSchema = Schema<Table>("embedding", "looks rows up in a table")
                                  .required("rows", &Table::rows, "of the table", "30000")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest)
                                  .required("width", &Table::width, "of a row", "512")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest);
  return kSchema;
}

struct Cells {
  double hidden = 1.0;
  bool last_step = false;
};

const Schema<Cells>& schema_of(const Cells*) {
  static const auto kSchema =
      Schema<Cells>("recurrent layer", "cells unrolled over the steps of the input")
          .required("hidden", &Cells::hidden, "width of the hidden state", "1024")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("last_step", &Cells::last_step, "hand on the last step only");
  return kSchema;
}

template <class Parameters>
std::string reference() {
  return schema_of(static_cast<const Parameters*>(nullptr)).reference();
}

template <Value (Net::*Method)(const std::string&, const Value&)>
Value simple(Net& net,
             const std::string& name,
             const std::vector<Value>& inputs,
             const Config& parameters) {
  read_config<NoParameters>(parameters);
  return (net.*Method)(name, inputs.front());
}

template <Cell CellKind>
Value recurrent(Net& net,
                const std::string& name,
                const std::vector<Value>& inputs,
                const Config& parameters) {
  const auto cells = read_config<Cells>(parameters);
  Value y = net.recurrent(name, inputs.front(), CellKind, cells.hidden);
  return cells.last_step ? net.last_step(y) : y;
}

Value convolution(Net& net,
                  const std::string& name,
                  const std::vector<Value>& inputs,
                  const Config& c) {
  return net.convolution(name, inputs.front(), read_config<Convolution>(c));
}

Value fully_connected(Net& net,
                      const std::string& name,
                      const std::vector<Value>& inputs,
                      const Config& c) {
  const auto layer = read_config<Features>(c);
  return net.fully_connected(name, inputs.front(), layer.features, layer.bias);
}

Value pool(Net& net, const std::string& name, const std::vector<Value>& inputs, const Config& c) {
  return net.pool(name, inputs.front(), read_config<Pool>(c));
}

Value normalization(Net& net,
                    const std::string& name,
                    const std::vector<Value>& inputs,
                    const Config& c) {
  return net.normalization(name, inputs.front(), read_config<Normalize>(c).affine);
}

Value layer_norm(Net& net,
                 const std::string& name,
                 const std::vector<Value>& inputs,
                 const Config& c) {
  return net.layer_norm(name, inputs.front(), read_config<LayerNorm>(c).affine);
}

Value attention(Net& net,
                const std::string& name,
                const std::vector<Value>& inputs,
                const Config& c) {
  return net.attention(name, inputs, read_config<AttentionHeads>(c));
}

Value embedding(Net& net,
                const std::string& name,
                const std::vector<Value>& inputs,
                const Config& c) {
  const auto table = read_config<Table>(c);
  return net.embedding(name, inputs.front(), table.rows, table.width);
}

Value concat(Net& net, const std::string& name, const std::vector<Value>& inputs, const Config& c) {
  read_config<NoParameters>(c);
  return net.concat(name, inputs);
}

template <Value (Net::*Method)(const std::string&, const Value&, const Value&)>
Value of_two(Net& net, const std::string& name, const std::vector<Value>& inputs, const Config& c) {
  read_config<NoParameters>(c);
  if (inputs.size() != 2) {
    throw ShapeError("needs two inputs (expected e.g. \"from: [conv1, previous]\")");
  }
  return (net.*Method)(name, inputs[0], inputs[1]);
}

constexpr std::array kLayerTypes{
    LayerType{
        "convolution", "a square window over each map", 1, reference<Convolution>, convolution},
    LayerType{
        "fully_connected", "every input to every output", 1, reference<Features>, fully_connected},
    LayerType{"matmul",
              "the product of two feature maps",
              2,
              reference<NoParameters>,
              of_two<&Net::matmul>},
    LayerType{"attention",
              "of each step to the others; from Q, K and V, or one map of all",
              3,
              reference<AttentionHeads>,
              attention},
    LayerType{"rnn", "vanilla recurrent cells", 1, reference<Cells>, recurrent<Cell::kVanilla>},
    LayerType{"lstm", "long short-term memory cells", 1, reference<Cells>, recurrent<Cell::kLstm>},
    LayerType{"gru", "gated recurrent units", 1, reference<Cells>, recurrent<Cell::kGru>},
    LayerType{
        "relu", "an activation, in place", 1, reference<NoParameters>, simple<&Net::activation>},
    LayerType{"gelu",
              "an activation that keeps its input",
              1,
              reference<NoParameters>,
              simple<&Net::gelu>},
    LayerType{"pool", "the maximum or average of a window", 1, reference<Pool>, pool},
    LayerType{"global_average",
              "each channel to one number",
              1,
              reference<NoParameters>,
              simple<&Net::global_average>},
    LayerType{"normalization", "over the batch", 1, reference<Normalize>, normalization},
    LayerType{"layer_norm", "over the features of a step", 1, reference<LayerNorm>, layer_norm},
    LayerType{"softmax", "probabilities", 1, reference<NoParameters>, simple<&Net::softmax>},
    LayerType{"cross_entropy",
              "probabilities and their loss",
              1,
              reference<NoParameters>,
              simple<&Net::cross_entropy>},
    LayerType{
        "concat", "channels of several maps side by side", 0, reference<NoParameters>, concat},
    LayerType{"add", "the sum of two maps", 2, reference<NoParameters>, of_two<&Net::add>},
    LayerType{"positions",
              "a trained vector for each step, added",
              1,
              reference<NoParameters>,
              simple<&Net::add_positions>},
    LayerType{"embedding", "rows of a table, by number", 1, reference<Table>, embedding},
};

struct WrittenInput {
  std::uint32_t steps = 1;
  bool together = false;
  double channels = 1.0;
  double height = 1.0;
  double width = 1.0;
};

const Schema<WrittenInput>& schema_of(const WrittenInput*) {
  static const auto kSchema =
      Schema<WrittenInput>("input", "one sample")
          .required("channels", &WrittenInput::channels, "maps, or features", "3")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("height", &WrittenInput::height, "of a map")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("width", &WrittenInput::width, "of a map")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("steps", &WrittenInput::steps, "frames, words")
          .at_least(1)
          .optional("together",
                    &WrittenInput::together,
                    "all steps in one tensor, as attention reads them");
  return kSchema;
}

}  // namespace

std::span<const LayerType> layer_types() {
  return kLayerTypes;
}

Value Input::add_to(Net& net, const std::string& name, TensorKind kind) const {
  Shape shape = sample;
  shape.samples = net.batch();
  if (together) {
    return net.sequence(name, shape, kind);
  }
  return kind == TensorKind::kData ? net.input(name, shape) : net.input_from_below(name, shape);
}

Input read_input(const Config& config) {
  const auto input = read_config<WrittenInput>(config);
  return {.sample = {.samples = 1.0,
                     .steps = static_cast<double>(input.steps),
                     .channels = input.channels,
                     .height = input.height,
                     .width = input.width},
          .together = input.together};
}

}  // namespace cairn::model
