#include "cairn/model/net.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace cairn::model {

namespace {

// A bit says whether an element was positive, a byte where in its window the maximum was.
constexpr Bytes kMaskElement(1.0 / 8.0);
constexpr Bytes kIndexElement(1.0);
constexpr Bytes kLongIndexElement(8.0);  // or where in the whole map, as PyTorch has it

// Positions of a window of `kernel` over `length` padded on both sides.
double positions(double length, double kernel, double stride, double pad, bool ceiling) {
  const double last = (length + 2.0 * pad - kernel) / stride;
  double count = (ceiling ? std::ceil(last) : std::floor(last)) + 1.0;
  if (ceiling && (count - 1.0) * stride >= length + pad) {
    count -= 1.0;  // the last window would start outside the map
  }
  return count;
}

void check_window(const Shape& shape, double kernel, double pad) {
  if (shape.height + 2.0 * pad < kernel || shape.width + 2.0 * pad < kernel) {
    throw ShapeError(fmt::format("a window of {} does not fit into {} x {} with padding {}",
                                 kernel,
                                 shape.height,
                                 shape.width,
                                 pad));
  }
}

}  // namespace

double checked(double elements) {
  if (elements > kMostElements) {
    throw ShapeError(fmt::format(
        "a tensor of {:.3g} elements (expected at most {:.0e})", elements, kMostElements));
  }
  return elements;
}

std::string to_text(const Shape& shape) {
  std::string text = fmt::format("{} samples of ", shape.samples);
  if (shape.steps != 1.0) {
    text += fmt::format("{} steps of ", shape.steps);
  }
  if (shape.height == 1.0 && shape.width == 1.0) {
    return text + fmt::format("{}", shape.channels);
  }
  return text + fmt::format("{} x {} x {}", shape.channels, shape.height, shape.width);
}

Net::Net(std::string name, double batch, NetOptions options) : options_(options) {
  graph_.name = std::move(name);
  graph_.batch = batch;
}

Value Net::input(const std::string& name, Shape shape) {
  return add_input(name, shape, TensorKind::kData);
}

Value Net::input_from_below(const std::string& name, Shape shape) {
  return add_input(name, shape, TensorKind::kFeatureMap);
}

Value Net::sequence(const std::string& name, Shape shape, TensorKind kind) {
  expect(1.0);
  return {
      .tensors = {graph_.add({.name = name, .kind = kind, .elements = checked(shape.elements())})},
      .shape = shape};
}

void Net::expect(double more) const {
  const double count = static_cast<double>(graph_.tensors.size()) + more;
  if (count > kMostTensors) {
    throw ShapeError(fmt::format(
        "the network has at least {:.0f} tensors (expected at most {:.0f})", count, kMostTensors));
  }
}

Value Net::add_input(const std::string& name, const Shape& shape, TensorKind kind) {
  if (options_.recurrent == RecurrentKernels::kByLayer) {
    return sequence(name, shape, kind);
  }
  expect(shape.steps);
  Value value{.tensors = {}, .shape = shape};
  const auto steps = static_cast<std::size_t>(shape.steps);
  for (std::size_t step = 0; step < steps; ++step) {
    value.tensors.push_back(
        graph_.add({.name = steps == 1 ? name : fmt::format("{}[{}]", name, step),
                    .kind = kind,
                    .elements = checked(shape.elements() / shape.steps)}));
  }
  return value;
}

Id<Tensor> Net::add_map(const std::string& name, double elements) {
  return graph_.add({.name = name, .kind = TensorKind::kFeatureMap, .elements = checked(elements)});
}

Id<Tensor> Net::add_weight(const std::string& layer, double elements, const char* what) {
  const std::string name = layer + what;
  if (const auto before = weights_.find(name); share_weights_ && before != weights_.end()) {
    const double shared = graph_.tensor(before->second).elements;
    if (shared != elements) {
      throw ShapeError(fmt::format(
          "{} weights, to be shared with a layer of the same name that has {}", elements, shared));
    }
    return before->second;
  }
  return weights_[name] =
             graph_.add({.name = name, .kind = TensorKind::kWeight, .elements = checked(elements)});
}

Operator& Net::push(Operator op) {
  if (op.contraction && op.weight) {
    ++graph_.layers;
  }
  op.layer = graph_.layers == 0 ? 0 : graph_.layers - 1;
  op.block = block_;
  op.scores = scores_;
  return graph_.operators.emplace_back(std::move(op));
}

// An operator with a weight that reads all of x at once.
Value Net::contract(Operator op, const Value& x, Shape shape, double weights, double biases) {
  expect(3.0);
  const Id<Tensor> weight = add_weight(op.name, weights);
  if (biases > 0.0) {
    op.bias = add_weight(op.name, biases, ".bias");
  }
  const Id<Tensor> y = add_map(op.name, shape.elements());
  op.inputs = x.tensors;
  op.saved = x.tensors;
  op.inputs.push_back(weight);
  op.weight = weight;
  if (op.bias) {
    op.inputs.push_back(*op.bias);
  }
  op.outputs = {y};
  push(std::move(op));
  return {.tensors = {y}, .shape = shape};
}

Value Net::convolution(const std::string& name, const Value& x, const Convolution& layer) {
  const Shape& in = x.shape;
  const double groups = layer.groups;
  if (std::fmod(in.channels, groups) != 0.0 || std::fmod(layer.channels, groups) != 0.0) {
    throw ShapeError(fmt::format(
        "{} channels to {} cannot be cut into {} groups", in.channels, layer.channels, groups));
  }
  check_window(in, layer.kernel, layer.pad);
  Shape out = in;
  out.channels = layer.channels;
  out.height = positions(in.height, layer.kernel, layer.stride, layer.pad, false);
  out.width = positions(in.width, layer.kernel, layer.stride, layer.pad, false);
  const Contraction contraction{.m = in.samples * in.steps * out.height * out.width,
                                .n = layer.channels / groups,
                                .k = in.channels / groups * layer.kernel * layer.kernel,
                                .count = groups,
                                .taps = static_cast<double>(layer.kernel) * layer.kernel};
  return contract({.name = name, .kind = OperatorKind::kConvolution, .contraction = contraction},
                  x,
                  out,
                  contraction.n * contraction.k * groups);
}

Value Net::fully_connected(const std::string& name, const Value& x, double features, bool bias) {
  const Contraction contraction{
      .m = x.shape.samples * x.shape.steps, .n = features, .k = x.shape.features()};
  return contract({.name = name, .kind = OperatorKind::kFullyConnected, .contraction = contraction},
                  x,
                  {.samples = x.shape.samples, .steps = x.shape.steps, .channels = features},
                  contraction.n * contraction.k,
                  bias ? features : 0.0);
}

Value Net::matmul(const std::string& name, const Value& a, const Value& b) {
  if (a.shape.samples != b.shape.samples || a.shape.steps != b.shape.steps ||
      a.shape.channels != b.shape.channels || a.shape.width != b.shape.width) {
    throw ShapeError(
        fmt::format("the product of {} and {} is not defined", to_text(a.shape), to_text(b.shape)));
  }
  expect(1.0);
  Shape out = a.shape;
  out.width = b.shape.height;
  const Id<Tensor> y = add_map(name, out.elements());
  Operator op{
      .name = name,
      .kind = OperatorKind::kMatmul,
      .contraction = Contraction{.m = a.shape.height,
                                 .n = b.shape.height,
                                 .k = a.shape.width,
                                 .count = a.shape.samples * a.shape.steps * a.shape.channels},
      .inputs = a.tensors};
  op.inputs.insert(op.inputs.end(), b.tensors.begin(), b.tensors.end());
  op.saved = op.inputs;
  op.outputs = {y};
  push(std::move(op));
  return {.tensors = {y}, .shape = out};
}

// One operator per tensor of x, on elements that do not depend on each other.
Value Net::cheap(
    const std::string& name, OperatorKind kind, const Value& x, Shape shape, double ops) {
  Value y{.tensors = {}, .shape = shape};
  const auto parts = static_cast<double>(x.tensors.size());
  expect(2.0 * parts);  // with what a pool saves
  for (const Id<Tensor> input : x.tensors) {
    const Id<Tensor> output = add_map(name, shape.elements() / parts);
    push({.name = name,
          .kind = kind,
          .vector_ops = ops * shape.elements() / parts,
          .inputs = {input},
          .outputs = {output}});
    y.tensors.push_back(output);
  }
  return y;
}

Value Net::activation(const std::string& name, const Value& x) {
  expect(2.0 * static_cast<double>(x.tensors.size()));  // with a mask
  Value y{.tensors = {}, .shape = x.shape};
  for (const Id<Tensor> input : x.tensors) {
    const double elements = graph_.tensor(input).elements;
    const Id<Tensor> output = graph_.add_in_place({.name = name, .elements = elements}, input);
    Operator op{.name = name,
                .kind = OperatorKind::kActivation,
                .vector_ops = elements,
                .inputs = {input},
                .outputs = {output},
                .saved = {output}};
    if (options_.activation_saves == ActivationSaves::kMask) {
      op.saved = {graph_.add({.name = name + ".mask",
                              .kind = TensorKind::kIndices,
                              .elements = elements,
                              .element = kMaskElement})};
      op.outputs.push_back(op.saved.front());
    }
    push(std::move(op));
    y.tensors.push_back(output);
  }
  return y;
}

Value Net::pool(const std::string& name, const Value& x, const Pool& layer) {
  check_window(x.shape, layer.kernel, layer.pad);
  Shape out = x.shape;
  out.height = positions(x.shape.height, layer.kernel, layer.stride, layer.pad, layer.ceiling);
  out.width = positions(x.shape.width, layer.kernel, layer.stride, layer.pad, layer.ceiling);
  constexpr double kOpsPerPlace = 5.0;  // of a maximum: its row, its column, both within the map
  const double ops =
      static_cast<double>(layer.kernel) * layer.kernel + (layer.average ? 0.0 : kOpsPerPlace);
  const std::size_t first = graph_.operators.size();
  Value y = cheap(name, OperatorKind::kPool, x, out, ops);
  if (layer.average) {
    return y;
  }
  for (std::size_t i = first; i < graph_.operators.size(); ++i) {
    Operator& op = graph_.operators[i];
    if (options_.pool_saves == PoolSaves::kMaps) {
      op.saved = {op.inputs.front(), op.outputs.front()};
    } else {
      const Id<Tensor> indices =
          graph_.add({.name = name + ".indices",
                      .kind = TensorKind::kIndices,
                      .elements = graph_.tensor(op.outputs.front()).elements,
                      .element = options_.pool_saves == PoolSaves::kIndices ? kIndexElement
                                                                            : kLongIndexElement});
      graph_.operators[i].outputs.push_back(indices);
      graph_.operators[i].saved = {indices};
    }
  }
  return y;
}

Value Net::subsample(const std::string& name,
                     const Value& x,
                     std::uint32_t stride,
                     double channels) {
  Shape out = x.shape;
  out.channels = channels;
  out.height = positions(x.shape.height, 1.0, stride, 0.0, false);
  out.width = positions(x.shape.width, 1.0, stride, 0.0, false);
  return cheap(name, OperatorKind::kPool, x, out, 1.0);
}

Value Net::global_average(const std::string& name, const Value& x) {
  const Shape out{.samples = x.shape.samples, .steps = x.shape.steps, .channels = x.shape.channels};
  return cheap(name, OperatorKind::kPool, x, out, x.shape.height * x.shape.width);
}

Value Net::normalization(const std::string& name, const Value& x, bool affine) {
  constexpr double kOpsPerElement = 4.0;  // sum, sum of squares, subtract, scale
  const std::size_t first = graph_.operators.size();
  Value y = cheap(name, OperatorKind::kNormalization, x, x.shape, kOpsPerElement);
  std::optional<Id<Tensor>> weight;
  if (affine) {
    weight = add_weight(name, 2.0 * x.shape.channels);
  }
  for (std::size_t i = first; i < graph_.operators.size(); ++i) {
    Operator& op = graph_.operators[i];
    op.saved = {op.inputs.front()};
    if (weight) {
      op.inputs.push_back(*weight);
      op.weight = weight;
    }
  }
  return y;
}

// A layer makes as many rows as its contraction has, else it is one per sample. The rows of a
// product of feature maps lie within a channel.
double Net::rows_of_softmax(Id<Tensor> x) const {
  for (const Operator& op : std::views::reverse(graph_.operators)) {
    if (std::ranges::find(op.outputs, x) != op.outputs.end()) {
      return op.kind == OperatorKind::kMatmul ? 0.0
             : op.contraction                 ? op.contraction->m
                                              : graph_.batch;
    }
  }
  return graph_.batch;
}

Value Net::softmax(const std::string& name, const Value& x) {
  constexpr double kOpsPerElement = 4.0;  // maximum, exponential, sum, divide
  const std::size_t first = graph_.operators.size();
  Value y = cheap(name, OperatorKind::kSoftmax, x, x.shape, kOpsPerElement);
  for (std::size_t i = first; i < graph_.operators.size(); ++i) {
    graph_.operators[i].saved = graph_.operators[i].outputs;
    graph_.operators[i].rows_summed = rows_of_softmax(graph_.operators[i].inputs.front());
  }
  return y;
}

Value Net::concat(const std::string& name, const std::vector<Value>& parts) {
  if (parts.empty()) {
    throw ShapeError("nothing to concatenate");
  }
  expect(1.0);
  Shape out = parts.front().shape;
  out.channels = 0.0;
  Operator op{.name = name, .kind = OperatorKind::kConcat};
  for (const Value& part : parts) {
    Shape same = part.shape;
    same.channels = out.channels;
    if (same != out) {
      throw ShapeError(fmt::format(
          "{} cannot be joined to {}", to_text(part.shape), to_text(parts.front().shape)));
    }
    out.channels += part.shape.channels;
    op.inputs.insert(op.inputs.end(), part.tensors.begin(), part.tensors.end());
  }
  const Id<Tensor> y = add_map(name, out.elements());
  op.outputs = {y};
  push(std::move(op));
  return {.tensors = {y}, .shape = out};
}

Value Net::add(const std::string& name, const Value& a, const Value& b) {
  if (a.shape != b.shape || a.tensors.size() != b.tensors.size()) {
    throw ShapeError(fmt::format("{} cannot be added to {}", to_text(b.shape), to_text(a.shape)));
  }
  expect(static_cast<double>(a.tensors.size()));
  Value y{.tensors = {}, .shape = a.shape};
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    const double elements = graph_.tensor(a.tensors[i]).elements;
    const Id<Tensor> output = add_map(name, elements);
    push({.name = name,
          .kind = OperatorKind::kAdd,
          .vector_ops = elements,
          .inputs = {a.tensors[i], b.tensors[i]},
          .outputs = {output}});
    y.tensors.push_back(output);
  }
  return y;
}

Value Net::embedding(const std::string& name, const Value& x, double rows, double width) {
  expect(1.0 + static_cast<double>(x.tensors.size()));
  const Id<Tensor> table = add_weight(name, rows * width);
  Shape out = x.shape;
  out.channels = x.shape.features() * width;
  out.height = 1.0;
  out.width = 1.0;
  Value y{.tensors = {}, .shape = out};
  for (const Id<Tensor> input : x.tensors) {
    const Id<Tensor> output = add_map(name, out.elements() / static_cast<double>(x.tensors.size()));
    push({.name = name,
          .kind = OperatorKind::kEmbedding,
          .inputs = {input, table},
          .outputs = {output},
          .weight = table,
          .saved = {input}});
    y.tensors.push_back(output);
  }
  return y;
}

// The tensors of the single steps; a tensor of all steps is seen step by step in its place.
std::vector<Id<Tensor>> Net::per_step(const Value& x) {
  if (x.tensors.size() != 1 || x.shape.steps == 1.0) {
    return x.tensors;
  }
  expect(x.shape.steps);
  std::vector<Id<Tensor>> views;
  const Tensor whole = graph_.tensor(x.tensors.front());
  Operator split{.name = whole.name, .kind = OperatorKind::kConcat, .inputs = x.tensors};
  const auto steps = static_cast<std::size_t>(x.shape.steps);
  views.reserve(steps);
  for (std::size_t step = 0; step < steps; ++step) {
    views.push_back(graph_.add_in_place({.name = fmt::format("{}[{}]", whole.name, step),
                                         .kind = whole.kind,
                                         .elements = whole.elements / x.shape.steps},
                                        x.tensors.front()));
  }
  split.outputs = views;
  push(std::move(split));
  return views;
}

Value Net::last_step(const Value& x) {
  Shape out = x.shape;
  out.steps = 1.0;
  return {.tensors = {per_step(x).back()}, .shape = out};
}

Value Net::join_steps(const std::vector<Value>& parts) {
  if (parts.empty()) {
    throw ShapeError("no steps to join");
  }
  Value y{.tensors = {}, .shape = parts.front().shape};
  y.shape.steps = 0.0;
  for (const Value& part : parts) {
    Shape same = part.shape;
    same.steps = y.shape.steps;
    if (same != y.shape) {
      throw ShapeError(fmt::format("steps of {} cannot follow those of {}",
                                   to_text(part.shape),
                                   to_text(parts.front().shape)));
    }
    const std::vector<Id<Tensor>> steps = per_step(part);
    y.tensors.insert(y.tensors.end(), steps.begin(), steps.end());
    y.shape.steps += part.shape.steps;
  }
  return y;
}

Graph Net::take() && {
  return std::move(graph_);
}

}  // namespace cairn::model
