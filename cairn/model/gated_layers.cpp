// The layers of SwiGLU: SiLU of one half of the features times the other half (Shazeer, GLU
// Variants Improve Transformer, 2020).
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "cairn/model/net.hpp"

namespace cairn::model {

Value Net::silu(const std::string& name, const Value& x) {
  constexpr double kOpsPerElement = 8.0;  // an exponential, a sum, a quotient
  const auto [y, operators] = cheap(name, OperatorKind::kActivation, x, x.shape, kOpsPerElement);
  for (Operator& op : operators) {
    op.saved = op.inputs;
  }
  return y;
}

Value Net::multiply(const std::string& name, const Value& a, const Value& b) {
  if (a.shape != b.shape || a.tensors.size() != b.tensors.size()) {
    throw ShapeError(
        fmt::format("{} cannot be multiplied by {}", to_text(a.shape), to_text(b.shape)));
  }
  const auto [y, operators] = cheap(name, OperatorKind::kActivation, a, a.shape, 1.0);
  for (std::size_t i = 0; i < b.tensors.size(); ++i) {
    operators[i].inputs.push_back(b.tensors[i]);
    operators[i].saved = operators[i].inputs;
  }
  return y;
}

std::vector<Value> Net::split(const std::string& name,
                              const Value& x,
                              const std::vector<double>& features) {
  const double sum = std::accumulate(features.begin(), features.end(), 0.0);
  if (x.tensors.size() != 1 || x.shape.height != 1.0 || x.shape.width != 1.0 ||
      sum != x.shape.channels) {
    throw ShapeError(
        fmt::format("parts of {} features in all do not make up {}", sum, to_text(x.shape)));
  }
  expect(static_cast<double>(features.size()));
  Operator op{.name = name, .kind = OperatorKind::kConcat, .inputs = x.tensors};
  std::vector<Value> parts;
  for (const double part : features) {
    Shape shape = x.shape;
    shape.channels = part;
    op.outputs.push_back(graph_.add_in_place(
        {.name = fmt::format("{}[{}]", name, parts.size()), .elements = shape.elements()},
        x.tensors.front()));
    parts.push_back({.tensors = {op.outputs.back()}, .shape = shape});
  }
  push(std::move(op));
  return parts;
}

}  // namespace cairn::model
