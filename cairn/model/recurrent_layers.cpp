// Layers of recurrent cells: of each step, the gates are products of the input and of the state
// before, and the new state follows from them element by element.
#include <fmt/format.h>

#include "cairn/model/net.hpp"

namespace cairn::model {

namespace {

// Additions, products, sigmoids and hyperbolic tangents of a cell, per hidden unit.
constexpr double kOpsPerGate = 4.0;

// Numbers per hidden unit and step that cuDNN keeps for the backward pass, besides the hidden state
// itself: the size of its reserve space, which PyTorch saves with a layer (cuDNN 9 on an H200).
double kept_by_library(Cell cell) {
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
  expect(2.0 + 2.0 * x.shape.steps);  // per step what goes on and what is kept
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

// Y = cells(X W_x, W_h): the product of the input for all steps at once, then the steps in turn. To
// a framework both are one call: it has X until all steps are done, and needs it, backwards, before
// the first is.
Value Net::layer_of_cells(const std::string& name, const Value& x, Cell cell, double hidden) {
  const double width = gates(cell) * hidden;
  const double cells = x.shape.samples * x.shape.steps;
  const Value from_input = fully_connected(name + ".inputs", x, width);
  expect(3.0);
  const Id<Tensor> weight = add_weight(name, hidden * width);
  const Id<Tensor> y = add_map(name, cells * hidden);
  const Id<Tensor> state = graph_.add({.name = name + ".state",
                                       .kind = TensorKind::kState,
                                       .elements = cells * kept_by_library(cell) * hidden});
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

Value Net::weigh(const std::string& name, const Value& x) {
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

}  // namespace cairn::model
