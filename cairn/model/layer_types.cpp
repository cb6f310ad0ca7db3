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
};

const Schema<Features>& schema_of(const Features*) {
  static const auto kSchema = Schema<Features>("fully_connected", "every input to every output")
                                  .required("features", &Features::features, "outputs", "4096")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest);
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
  return cells.last_step ? Net::last_step(y) : y;
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
  return net.fully_connected(name, inputs.front(), read_config<Features>(c).features);
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
    LayerType{"rnn", "vanilla recurrent cells", 1, reference<Cells>, recurrent<Cell::kVanilla>},
    LayerType{"lstm", "long short-term memory cells", 1, reference<Cells>, recurrent<Cell::kLstm>},
    LayerType{"gru", "gated recurrent units", 1, reference<Cells>, recurrent<Cell::kGru>},
    LayerType{
        "relu", "an activation, in place", 1, reference<NoParameters>, simple<&Net::activation>},
    LayerType{"pool", "the maximum or average of a window", 1, reference<Pool>, pool},
    LayerType{"global_average",
              "each channel to one number",
              1,
              reference<NoParameters>,
              simple<&Net::global_average>},
    LayerType{"normalization", "over the batch", 1, reference<Normalize>, normalization},
    LayerType{"softmax", "probabilities", 1, reference<NoParameters>, simple<&Net::softmax>},
    LayerType{
        "concat", "channels of several maps side by side", 0, reference<NoParameters>, concat},
    LayerType{"add", "the sum of two maps", 2, reference<NoParameters>, of_two<&Net::add>},
    LayerType{"embedding", "rows of a table, by number", 1, reference<Table>, embedding},
};

struct Input {
  std::uint32_t steps = 1;
  double channels = 1.0;
  double height = 1.0;
  double width = 1.0;
};

const Schema<Input>& schema_of(const Input*) {
  static const auto kSchema = Schema<Input>("input", "one sample")
                                  .required("channels", &Input::channels, "maps, or features", "3")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest)
                                  .optional("height", &Input::height, "of a map")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest)
                                  .optional("width", &Input::width, "of a map")
                                  .whole()
                                  .at_least(1)
                                  .at_most(kWidest)
                                  .optional("steps", &Input::steps, "frames, words")
                                  .at_least(1);
  return kSchema;
}

}  // namespace

std::span<const LayerType> layer_types() {
  return kLayerTypes;
}

Shape read_input(const Config& config) {
  const auto input = read_config<Input>(config);
  return {.samples = 1.0,
          .steps = static_cast<double>(input.steps),
          .channels = input.channels,
          .height = input.height,
          .width = input.width};
}

}  // namespace cairn::model
