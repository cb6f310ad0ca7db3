#include "cairn/model/layer_types.hpp"

#include <array>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Convolution>& schema_of(const Convolution*) {
  static const auto kSchema =
      Schema<Convolution>("convolution", "2-D convolution with a square kernel")
          .required("channels", &Convolution::channels, "output channels", "64")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("kernel", &Convolution::kernel, "kernel size")
          .at_least(1)
          .optional("stride", &Convolution::stride, "stride")
          .at_least(1)
          .optional("pad", &Convolution::pad, "zero padding on each side")
          .optional("groups", &Convolution::groups, "groups of channels (grouped convolution)")
          .at_least(1);
  return kSchema;
}

const Schema<AttentionHeads>& schema_of(const AttentionHeads*) {
  static const auto kSchema =
      Schema<AttentionHeads>("attention", "multi-head attention, scores never stored")
          .required("heads", &AttentionHeads::heads, "attention heads", "12")
          .at_least(1)
          .optional("causal",
                    &AttentionHeads::causal,
                    "causal mask: a step attends to itself and earlier steps");
  return kSchema;
}

const Schema<Pool>& schema_of(const Pool*) {
  static const auto kSchema =
      Schema<Pool>("pool", "max or average pooling with a square window")
          .optional("kernel", &Pool::kernel, "window size")
          .at_least(1)
          .optional("stride", &Pool::stride, "stride")
          .at_least(1)
          .optional("pad", &Pool::pad, "zero padding on each side")
          .optional("average", &Pool::average, "average instead of max pooling")
          .optional("ceiling", &Pool::ceiling, "round the output size up");
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
      Schema<Features>("fully_connected", "fully connected layer")
          .required("features", &Features::features, "output features", "4096")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("bias", &Features::bias, "adds a bias");
  return kSchema;
}

struct Normalize {
  bool affine = false;
};

const Schema<Normalize>& schema_of(const Normalize*) {
  static const auto kSchema =
      Schema<Normalize>("normalization", "batch normalization")
          .optional("affine", &Normalize::affine, "has a scale and a shift per channel");
  return kSchema;
}

struct LayerNorm {
  bool affine = true;
};

const Schema<LayerNorm>& schema_of(const LayerNorm*) {
  static const auto kSchema =
      Schema<LayerNorm>("layer_norm", "layer normalization over the features of each step")
          .optional("affine", &LayerNorm::affine, "has a scale and a shift per feature");
  return kSchema;
}

struct Table {
  double rows = 1.0;
  double width = 1.0;
};

const Schema<Table>& schema_of(const Table*) {
  static const auto kSchema = Schema<Table>("embedding", "embedding lookup")
                                  .required("rows", &Table::rows, "rows of the table", "30000")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest)
                                  .required("width", &Table::width, "embedding dimension", "512")
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
          .required("hidden", &Cells::hidden, "hidden size", "1024")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("last_step", &Cells::last_step, "output the last step only");
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
    LayerType{"convolution",
              "2-D convolution with a square kernel",
              1,
              reference<Convolution>,
              convolution},
    LayerType{"fully_connected", "fully connected layer", 1, reference<Features>, fully_connected},
    LayerType{"matmul",
              "matrix product of two activations",
              2,
              reference<NoParameters>,
              of_two<&Net::matmul>},
    LayerType{"attention",
              "multi-head attention on Q, K and V, or one input of all three",
              3,
              reference<AttentionHeads>,
              attention},
    LayerType{"rnn", "vanilla recurrent cells", 1, reference<Cells>, recurrent<Cell::kVanilla>},
    LayerType{"lstm", "long short-term memory cells", 1, reference<Cells>, recurrent<Cell::kLstm>},
    LayerType{"gru", "gated recurrent units", 1, reference<Cells>, recurrent<Cell::kGru>},
    LayerType{"relu", "ReLU, in place", 1, reference<NoParameters>, simple<&Net::activation>},
    LayerType{"gelu", "GELU, saves its input", 1, reference<NoParameters>, simple<&Net::gelu>},
    LayerType{"pool", "max or average pooling", 1, reference<Pool>, pool},
    LayerType{"global_average",
              "global average pooling",
              1,
              reference<NoParameters>,
              simple<&Net::global_average>},
    LayerType{"normalization", "batch normalization", 1, reference<Normalize>, normalization},
    LayerType{"layer_norm", "layer normalization", 1, reference<LayerNorm>, layer_norm},
    LayerType{
        "softmax", "softmax over features", 1, reference<NoParameters>, simple<&Net::softmax>},
    LayerType{"cross_entropy",
              "softmax and cross-entropy loss",
              1,
              reference<NoParameters>,
              simple<&Net::cross_entropy>},
    LayerType{"concat", "concatenation of channels", 0, reference<NoParameters>, concat},
    LayerType{
        "add", "element-wise sum of two inputs", 2, reference<NoParameters>, of_two<&Net::add>},
    LayerType{"positions",
              "learned position embedding",
              1,
              reference<NoParameters>,
              simple<&Net::add_positions>},
    LayerType{"embedding", "embedding lookup", 1, reference<Table>, embedding},
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
      Schema<WrittenInput>("input", "shape of one sample")
          .required("channels", &WrittenInput::channels, "channels, or features", "3")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("height", &WrittenInput::height, "image height")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("width", &WrittenInput::width, "image width")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("steps", &WrittenInput::steps, "time steps: frames, tokens")
          .at_least(1)
          .optional("together",
                    &WrittenInput::together,
                    "all steps in one tensor, as attention needs them");
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
