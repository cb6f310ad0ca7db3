#include "cairn/model/net.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "cairn/base/many.hpp"

namespace cairn::model {

namespace {

constexpr Bytes kMaskElement(1.0 / 8.0);  // a bit per element: positive or not

}  // namespace

double checked(double elements) {
  if (elements > kMaxElements) {
    throw ShapeError(fmt::format(
        "a tensor of {:.3g} elements (expected at most {:.0e})", elements, kMaxElements));
  }
  return elements;
}

double checked(double elements, double batch) {
  if (elements > kMaxElements && elements / batch <= kMaxElements) {
    throw BatchError(
        fmt::format("{} samples make a tensor of {:.3g} elements (expected at most {:.0e})",
                    many(batch),
                    elements,
                    kMaxElements));
  }
  return checked(elements);
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
  return add_input(name, shape, TensorKind::kActivation);
}

Value Net::sequence(const std::string& name, Shape shape, TensorKind kind) {
  expect(1.0);
  return {.tensors = {graph_.add(
              {.name = name, .kind = kind, .elements = checked(shape.elements(), batch())})},
          .shape = shape};
}

void Net::expect(double more) const {
  const double count = static_cast<double>(graph_.tensors.size()) + more;
  if (count > kMaxTensors) {
    throw ShapeError(fmt::format(
        "the network has at least {:.0f} tensors (expected at most {:.0f})", count, kMaxTensors));
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
                    .elements = checked(shape.elements() / shape.steps, batch())}));
  }
  return value;
}

Id<Tensor> Net::add_map(const std::string& name, double elements) {
  return graph_.add(
      {.name = name, .kind = TensorKind::kActivation, .elements = checked(elements, batch())});
}

Id<Tensor> Net::add_weight(const std::string& layer, double elements, const char* what) {
  const std::string name = layer + what;
  if (const auto before = weights_.find(name); share_weights_ && before != weights_.end()) {
    const double shared = graph_.tensor(before->second).elements;
    if (shared != elements) {
      throw ShapeError(fmt::format(
          "cannot share {} weights with a layer of the same name that has {}", elements, shared));
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

// An operator with a weight that reads all steps of x at once.
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
    throw ShapeError(fmt::format(
        "matmul of incompatible shapes: {} and {}", to_text(a.shape), to_text(b.shape)));
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

Net::ElementWise Net::cheap(
    const std::string& name, OperatorKind kind, const Value& x, Shape shape, double ops) {
  Value y{.tensors = {}, .shape = shape};
  const auto parts = static_cast<double>(x.tensors.size());
  const std::size_t first = graph_.operators.size();
  expect(2.0 * parts);  // with the indices of a pool
  for (const Id<Tensor> input : x.tensors) {
    const Id<Tensor> output = add_map(name, shape.elements() / parts);
    push({.name = name,
          .kind = kind,
          .vector_ops = ops * shape.elements() / parts,
          .inputs = {input},
          .outputs = {output}});
    y.tensors.push_back(output);
  }
  return {.value = std::move(y), .operators = std::span(graph_.operators).subspan(first)};
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

// As many rows as the contraction that computed x has, else one per sample. The rows of a matmul
// are within a channel, so they need no exchange: 0.
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
  const auto [y, operators] = cheap(name, OperatorKind::kSoftmax, x, x.shape, kOpsPerElement);
  for (Operator& op : operators) {
    op.saved = op.outputs;
    op.rows_summed = rows_of_softmax(op.inputs.front());
  }
  return y;
}

Value Net::concat(const std::string& name, const std::vector<Value>& parts) {
  if (parts.empty()) {
    throw ShapeError("no inputs to concatenate");
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
          "{} cannot be concatenated with {}", to_text(part.shape), to_text(parts.front().shape)));
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

Graph Net::take() && {
  return std::move(graph_);
}

}  // namespace cairn::model
