// Recurrent layers and the steps of their sequences. In each step the gates are GEMMs of the input
// and the previous state, and the new state follows from them element-wise.
#include <fmt/format.h>

#include "cairn/model/net.hpp"

namespace cairn::model {

namespace {

// Additions, products, sigmoids and hyperbolic tangents of a cell, per hidden unit.
constexpr double kOpsPerGate = 4.0;

// Numbers per hidden unit and step that cuDNN saves for the backward pass, besides the hidden state
// itself: the size of its reserve space, which PyTorch saves with a layer (cuDNN 9 on an H200).
double reserve_space(Cell cell) {
  switch (cell) {
    case Cell::kVanilla:
      return 1.0;
    case Cell::kLstm:
      return 5.0;
    case Cell::kGru:
      return 6.0;
  }
  return 1.0;
}

}  // namespace

double gates(Cell cell) {
  switch (cell) {
    case Cell::kVanilla:
      return 1.0;
    case Cell::kLstm:
      return 4.0;
    case Cell::kGru:
      return 3.0;
  }
  return 1.0;
}

Value Net::recurrent(const std::string& name, const Value& x, Cell cell, double hidden) {
  const bool by_step = options_.recurrent == RecurrentKernels::kByStep || x.shape.steps == 1.0;
  return by_step ? steps_of_cells(name, x, cell, hidden) : layer_of_cells(name, x, cell, hidden);
}

Value Net::steps_of_cells(const std::string& name, const Value& x, Cell cell, double hidden) {
  const double width = gates(cell) * hidden;
  const double inputs = x.shape.features() + hidden;
  const double samples = x.shape.samples;
  const double kept = (gates(cell) + (cell == Cell::kLstm ? 1.0 : 0.0)) * hidden;
  expect(2.0 + 2.0 * x.shape.steps);  // per step the output and the saved state
  const Id<Tensor> weight = add_weight(name, inputs * width);
  Id<Tensor> h =
      graph_.add({.name = name + ".h0", .kind = TensorKind::kData, .elements = samples * hidden});
  Value y{.tensors = {}, .shape = {.samples = samples, .steps = x.shape.steps, .channels = hidden}};
  for (const Id<Tensor> input : per_step(x)) {
    const std::string step = fmt::format("{}[{}]", name, y.tensors.size());
    const Id<Tensor> next = add_map(step, samples * hidden);
    const Id<Tensor> state = graph_.add(
        {.name = step + ".state", .kind = TensorKind::kState, .elements = samples * kept});
    push({.name = step,
          .kind = OperatorKind::kRecurrent,
          .contraction = Contraction{.m = samples, .n = width, .k = inputs},
          .vector_ops = samples * width * kOpsPerGate,
          .inputs = {input, h, weight},
          .outputs = {next, state},
          .weight = weight,
          .saved = {input, h, state}});
    y.tensors.push_back(next);
    h = next;
  }
  return y;
}

// Y = cells(X W_x, W_h): one GEMM of the inputs of all steps, then the steps in sequence. To a
// framework both are one call: X lives until all steps are done, and the backward pass needs it
// before the first.
Value Net::layer_of_cells(const std::string& name, const Value& x, Cell cell, double hidden) {
  const double width = gates(cell) * hidden;
  const double cells = x.shape.samples * x.shape.steps;
  const Value from_input = fully_connected(name + ".inputs", x, width);
  expect(3.0);
  const Id<Tensor> weight = add_weight(name, hidden * width);
  const Id<Tensor> y = add_map(name, cells * hidden);
  const Id<Tensor> state = graph_.add({.name = name + ".state",
                                       .kind = TensorKind::kState,
                                       .elements = cells * reserve_space(cell) * hidden});
  std::vector<Id<Tensor>> inputs{from_input.tensors.front(), weight};
  inputs.insert(inputs.end(), x.tensors.begin(), x.tensors.end());
  std::vector<Id<Tensor>> saved{y, state};
  saved.insert(saved.end(), x.tensors.begin(), x.tensors.end());
  push({.name = name,
        .kind = OperatorKind::kRecurrent,
        .contraction = Contraction{.m = x.shape.samples, .n = width, .k = hidden},
        .vector_ops = cells * width * kOpsPerGate,
        .turns = x.shape.steps,
        .inputs = std::move(inputs),
        .outputs = {y, state},
        .weight = weight,
        .saved = std::move(saved)});
  Shape out = x.shape;
  out.channels = hidden;
  out.height = out.width = 1.0;
  return {.tensors = {y}, .shape = out};
}

Value Net::weighted_loss(const std::string& name, const Value& x) {
  Value y{.tensors = {}, .shape = x.shape};
  expect(2.0 * static_cast<double>(x.tensors.size()));
  for (const Id<Tensor> input : x.tensors) {
    const double elements = graph_.tensor(input).elements;
    const Id<Tensor> weights =
        graph_.add({.name = name + ".weights", .kind = TensorKind::kData, .elements = elements});
    const Id<Tensor> output = add_map(name, elements);
    push({.name = name,
          .kind = OperatorKind::kActivation,
          .vector_ops = elements,
          .inputs = {input, weights},
          .outputs = {output},
          .saved = {weights}});
    y.tensors.push_back(output);
  }
  return y;
}

// One tensor per step; a tensor of all steps is split into views.
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
    throw ShapeError("no steps to concatenate");
  }
  Value y{.tensors = {}, .shape = parts.front().shape};
  y.shape.steps = 0.0;
  for (const Value& part : parts) {
    Shape same = part.shape;
    same.steps = y.shape.steps;
    if (same != y.shape) {
      throw ShapeError(fmt::format("steps of {} cannot be concatenated with those of {}",
                                   to_text(part.shape),
                                   to_text(parts.front().shape)));
    }
    const std::vector<Id<Tensor>> steps = per_step(part);
    y.tensors.insert(y.tensors.end(), steps.begin(), steps.end());
    y.shape.steps += part.shape.steps;
  }
  return y;
}

}  // namespace cairn::model
