// The layers of convolutional networks: windows over height and width, and batch normalization.
#include <fmt/format.h>

#include <cmath>

#include "cairn/model/net.hpp"

namespace cairn::model {

namespace {

// Of the maximum: its position in the window, or in the whole input, as in PyTorch.
constexpr Bytes kIndexElement(1.0);
constexpr Bytes kLongIndexElement(8.0);

// Positions of a window of `kernel` over `length` padded on both sides.
double positions(double length, double kernel, double stride, double pad, bool ceiling) {
  const double last = (length + 2.0 * pad - kernel) / stride;
  double count = (ceiling ? std::ceil(last) : std::floor(last)) + 1.0;
  if (ceiling && (count - 1.0) * stride >= length + pad) {
    count -= 1.0;  // the last window would start outside the input
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

Value Net::convolution(const std::string& name, const Value& x, const Convolution& layer) {
  const Shape& in = x.shape;
  const double groups = layer.groups;
  if (std::fmod(in.channels, groups) != 0.0 || std::fmod(layer.channels, groups) != 0.0) {
    throw ShapeError(fmt::format("{} groups do not divide {} input and {} output channels",
                                 groups,
                                 in.channels,
                                 layer.channels));
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

Value Net::pool(const std::string& name, const Value& x, const Pool& layer) {
  check_window(x.shape, layer.kernel, layer.pad);
  Shape out = x.shape;
  out.height = positions(x.shape.height, layer.kernel, layer.stride, layer.pad, layer.ceiling);
  out.width = positions(x.shape.width, layer.kernel, layer.stride, layer.pad, layer.ceiling);
  constexpr double kOpsPerIndex = 5.0;  // row and column of a maximum, and their bounds
  const double ops =
      static_cast<double>(layer.kernel) * layer.kernel + (layer.average ? 0.0 : kOpsPerIndex);
  const auto [y, operators] = cheap(name, OperatorKind::kPool, x, out, ops);
  if (layer.average) {
    return y;
  }
  for (Operator& op : operators) {
    if (options_.pool_saves == PoolSaves::kMaps) {
      op.saved = {op.inputs.front(), op.outputs.front()};
    } else {
      const Id<Tensor> indices =
          graph_.add({.name = name + ".indices",
                      .kind = TensorKind::kIndices,
                      .elements = graph_.tensor(op.outputs.front()).elements,
                      .element = options_.pool_saves == PoolSaves::kIndices ? kIndexElement
                                                                            : kLongIndexElement});
      op.outputs.push_back(indices);
      op.saved = {indices};
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
  return cheap(name, OperatorKind::kPool, x, out, 1.0).value;
}

Value Net::global_average(const std::string& name, const Value& x) {
  const Shape out{.samples = x.shape.samples, .steps = x.shape.steps, .channels = x.shape.channels};
  return cheap(name, OperatorKind::kPool, x, out, x.shape.height * x.shape.width).value;
}

Value Net::normalization(const std::string& name, const Value& x, bool affine) {
  constexpr double kOpsPerElement = 4.0;  // sum, sum of squares, subtract, scale
  const auto [y, operators] = cheap(name, OperatorKind::kNormalization, x, x.shape, kOpsPerElement);
  std::optional<Id<Tensor>> weight;
  if (affine) {
    weight = add_weight(name, 2.0 * x.shape.channels);
  }
  for (Operator& op : operators) {
    op.saved = {op.inputs.front()};
    if (weight) {
      op.inputs.push_back(*weight);
      op.weight = weight;
    }
  }
  return y;
}

}  // namespace cairn::model
