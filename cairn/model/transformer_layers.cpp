// The layers of transformers.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cairn/model/net.hpp"

namespace cairn::model {

namespace {

constexpr Bytes kRowNumber(4.0);  // fp32 in any training precision

void check_rows(const char* what, const Shape& shape) {
  if (shape.height != 1.0 || shape.width != 1.0) {
    throw ShapeError(
        fmt::format("{} needs inputs without height and width (found {})", what, to_text(shape)));
  }
}

}  // namespace

Id<Tensor> Net::add_row_numbers(const std::string& name, double rows) {
  return graph_.add(
      {.name = name, .kind = TensorKind::kState, .elements = rows, .element = kRowNumber});
}

Value Net::attention(const std::string& name,
                     const std::vector<Value>& maps,
                     const AttentionHeads& layer) {
  if (maps.size() != 1 && maps.size() != 3) {
    throw ShapeError(
        fmt::format("has {} inputs (expected Q, K and V, or one input of all three)", maps.size()));
  }
  for (const Value& map : maps) {
    check_rows("attention", map.shape);
  }
  const Shape& q = maps.front().shape;
  const Shape& k = maps[maps.size() == 1 ? 0 : 1].shape;
  const double heads = layer.heads;
  const double key_heads = layer.key_heads == 0 ? heads : layer.key_heads;
  if (std::fmod(heads, key_heads) != 0.0) {
    throw ShapeError(fmt::format("{} KV heads do not divide {} attention heads", key_heads, heads));
  }
  const double features =
      maps.size() == 1 ? q.features() * heads / (heads + 2.0 * key_heads) : q.features();
  if (maps.size() == 3 && (k != maps[2].shape || k.samples != q.samples ||
                           k.channels * heads != features * key_heads)) {
    throw ShapeError(fmt::format("Q of {}, K of {} and V of {} have incompatible shapes",
                                 to_text(q),
                                 to_text(k),
                                 to_text(maps[2].shape)));
  }
  if (layer.causal && k.steps != q.steps) {
    throw ShapeError(
        fmt::format("causal attention needs as many keys as queries (found {} queries, {} keys)",
                    q.steps,
                    k.steps));
  }
  if (layer.window > 0 && !layer.causal) {
    throw ShapeError("a window needs causal attention");
  }
  if (features != std::floor(features) || std::fmod(features, layer.heads) != 0.0) {
    throw ShapeError(
        fmt::format("{} attention heads do not divide {} features", layer.heads, features));
  }
  expect(2.0);
  const Shape out{.samples = q.samples, .steps = q.steps, .channels = features};
  const Id<Tensor> y = add_map(name, out.elements());
  const Id<Tensor> rows = add_row_numbers(name + ".rows", q.samples * q.steps * layer.heads);
  Operator op{.name = name,
              .kind = OperatorKind::kAttention,
              .attention = Attention{.samples = q.samples,
                                     .heads = heads,
                                     .key_heads = key_heads,
                                     .queries = q.steps,
                                     .keys = k.steps,
                                     .width = features / layer.heads,
                                     .causal = layer.causal,
                                     .window = static_cast<double>(layer.window)}};
  op.vector_ops = op.attention->vector_ops();
  for (const Value& map : maps) {
    op.inputs.insert(op.inputs.end(), map.tensors.begin(), map.tensors.end());
  }
  op.saved = op.inputs;
  op.saved.insert(op.saved.end(), {y, rows});
  op.outputs = {y, rows};
  push(std::move(op));
  return {.tensors = {y}, .shape = out};
}

Value Net::attention_with_stored_scores(const std::string& name,
                                        const Value& qkv,
                                        std::uint32_t heads,
                                        bool dropout) {
  check_rows("attention", qkv.shape);
  const double features = qkv.shape.features() / 3.0;
  if (qkv.tensors.size() != 1 || features != std::floor(features) ||
      std::fmod(features, heads) != 0.0) {
    throw ShapeError(fmt::format("{} attention heads do not divide {} features", heads, features));
  }
  expect(4.0);
  // Views of Q, K and V: for each head, a row per step.
  Operator parts{
      .name = name + ".heads", .kind = OperatorKind::kConcat, .inputs = {qkv.tensors.front()}};
  const Shape rows{.samples = qkv.shape.samples,
                   .channels = static_cast<double>(heads),
                   .height = qkv.shape.steps,
                   .width = features / heads};
  Shape columns = rows;
  std::swap(columns.height, columns.width);
  for (const char* part : {".q", ".k", ".v"}) {
    parts.outputs.push_back(graph_.add_in_place({.name = name + part, .elements = rows.elements()},
                                                qkv.tensors.front()));
  }
  const std::vector<Id<Tensor>> maps = parts.outputs;
  push(std::move(parts));
  scores_ = ++all_scores_;
  Value scores = matmul(name + ".scores", {.tensors = {maps[0]}, .shape = rows}, {{maps[1]}, rows});
  scores = softmax(name + ".softmax", scores);
  if (dropout) {
    scores = this->dropout(name + ".dropout", scores);
  }
  const Value y = matmul(name, scores, {.tensors = {maps[2]}, .shape = columns});
  scores_ = 0;
  return {.tensors = y.tensors,
          .shape = {.samples = qkv.shape.samples, .steps = qkv.shape.steps, .channels = features}};
}

Value Net::dropout(const std::string& name, const Value& x) {
  constexpr double kOpsPerElement = 12.0;  // a random number, compare, scale
  constexpr Bytes kKept(1.0);
  const auto [y, operators] = cheap(name, OperatorKind::kActivation, x, x.shape, kOpsPerElement);
  for (Operator& op : operators) {
    const double elements = graph_.tensor(op.outputs.front()).elements;
    const Id<Tensor> kept = graph_.add({.name = name + ".kept",
                                        .kind = TensorKind::kIndices,
                                        .elements = elements,
                                        .element = kKept});
    op.outputs.push_back(kept);
    op.saved = {kept};
  }
  return y;
}

Value Net::gelu(const std::string& name, const Value& x) {
  constexpr double kOpsPerElement = 10.0;  // an error function by a polynomial and an exponential
  const auto [y, operators] = cheap(name, OperatorKind::kActivation, x, x.shape, kOpsPerElement);
  for (Operator& op : operators) {
    op.saved = op.inputs;
  }
  return y;
}

Value Net::squared_relu(const std::string& name, const Value& x) {
  constexpr double kOpsPerElement = 2.0;  // maximum, square
  const auto [y, operators] = cheap(name, OperatorKind::kActivation, x, x.shape, kOpsPerElement);
  for (Operator& op : operators) {
    op.saved = op.inputs;
  }
  return y;
}

Value Net::layer_norm(const std::string& name, const Value& x, bool affine) {
  return row_norm(name, x, {.affine = affine});
}

Value Net::rms_norm(const std::string& name, const Value& x) {
  return row_norm(name, x, {.rms = true});
}

Value Net::row_norm(const std::string& name, const Value& x, const RowNorm& norm) {
  check_rows("layer norm", x.shape);
  expect(2.0 * static_cast<double>(x.tensors.size()) + 1.0);
  // Layer: sum, sum of squares, subtract, scale. RMS: sum of squares, scale by row and by feature.
  const double ops = norm.rms ? 3.0 : 4.0;
  const double numbers_per_row = norm.rms ? 1.0 : 2.0;  // mean, deviation
  const double weights_per_feature = !norm.affine ? 0.0 : norm.rms || !norm.shift ? 1.0 : 2.0;
  const auto [y, operators] = cheap(name, OperatorKind::kNormalization, x, x.shape, ops);
  const std::optional<Id<Tensor>> weight =
      norm.affine
          ? std::optional(add_weight(name, weights_per_feature * x.shape.features() / norm.heads))
          : std::nullopt;
  for (Operator& op : operators) {
    op.rows_summed =
        x.shape.samples * x.shape.steps * norm.heads / static_cast<double>(x.tensors.size());
    op.rows_of_heads = norm.heads > 1.0;
    op.saved = {op.inputs.front(),
                add_row_numbers(name + ".rows", numbers_per_row * op.rows_summed)};
    op.outputs.push_back(op.saved.back());
    if (weight) {
      op.inputs.push_back(*weight);
      op.weight = weight;
    }
  }
  return y;
}

Value Net::rotary(const std::string& name, const Value& x) {
  constexpr double kOpsPerElement = 3.0;  // two products, a sum
  check_rows("rotary embedding", x.shape);
  return cheap(name, OperatorKind::kActivation, x, x.shape, kOpsPerElement).value;
}

Value Net::cross_entropy(const std::string& name, const Value& x) {
  constexpr double kOpsPerElement = 4.0;  // maximum, exponential, sum, subtract
  check_rows("cross entropy", x.shape);
  const auto parts = static_cast<double>(x.tensors.size());
  expect(2.0 * parts);
  Value y{.tensors = {}, .shape = x.shape};
  y.shape.channels = 1.0;
  const std::span<Operator> operators =
      cheap(name, OperatorKind::kCrossEntropy, x, x.shape, kOpsPerElement).operators;
  for (Operator& op : operators) {
    op.rows_summed = y.shape.elements() / parts;
    y.tensors.push_back(add_row_numbers(name + ".loss", op.rows_summed));
    op.outputs.push_back(y.tensors.back());
    op.saved = op.outputs;
  }
  return y;
}

Value Net::unfused_cross_entropy(const std::string& name, const Value& x) {
  check_rows("cross entropy", x.shape);
  if (x.tensors.size() != 1) {
    throw ShapeError("fp32 cross entropy needs all steps in one tensor");
  }
  expect(9.0);
  const double elements = x.shape.elements();
  const double rows = elements / x.shape.features();
  const auto map = [&](const char* what, TensorKind kind) {
    return graph_.add(
        {.name = name + what, .kind = kind, .elements = elements, .element = kRowNumber});
  };
  const auto step = [&](const char* what,
                        OperatorKind kind,
                        std::vector<Id<Tensor>> inputs,
                        std::vector<Id<Tensor>> outputs) -> Operator& {
    return push({.name = name + what,
                 .kind = kind,
                 .vector_ops = elements,
                 .inputs = std::move(inputs),
                 .outputs = std::move(outputs)});
  };
  const Id<Tensor> copy = map(".fp32", TensorKind::kActivation);
  step(".fp32", OperatorKind::kActivation, x.tensors, {copy});
  const Id<Tensor> most = add_row_numbers(name + ".most", rows);
  step(".most", OperatorKind::kSoftmax, {copy}, {most}).rows_summed = rows;
  const Id<Tensor> less = map(".less", TensorKind::kState);
  step(".less", OperatorKind::kActivation, {copy, most}, {less});
  const Id<Tensor> exponential = graph_.add_in_place({.name = name + ".exp",
                                                      .kind = TensorKind::kState,
                                                      .elements = elements,
                                                      .element = kRowNumber},
                                                     less);
  step(".exp", OperatorKind::kActivation, {less}, {exponential});
  const Id<Tensor> sum = add_row_numbers(name + ".sum", rows);
  step(".sum", OperatorKind::kSoftmax, {exponential}, {sum}).rows_summed = rows;
  // The probabilities overwrite the exponentials, which are as large as `copy`, read here instead.
  const Id<Tensor> probabilities = graph_.add_in_place(
      {.name = name, .kind = TensorKind::kActivation, .elements = elements, .element = kRowNumber},
      less);
  const Id<Tensor> loss = add_row_numbers(name + ".loss", rows);
  step("", OperatorKind::kCrossEntropy, {copy, sum}, {probabilities, loss}).saved = {probabilities,
                                                                                     loss};
  Value y{.tensors = {loss}, .shape = x.shape};
  y.shape.channels = 1.0;
  return y;
}

Value Net::add_positions(const std::string& name, const Value& x) {
  return add_positions(name, x, x.shape.steps);
}

Value Net::add_positions(const std::string& name, const Value& x, double rows) {
  if (x.tensors.size() != 1) {
    throw ShapeError(
        "position embeddings need all steps in one tensor (use \"together: true\" in the input)");
  }
  expect(2.0);
  const Id<Tensor> weight = add_weight(name, rows * x.shape.features());
  const Id<Tensor> y = add_map(name, x.shape.elements());
  push({.name = name,
        .kind = OperatorKind::kAdd,
        .vector_ops = x.shape.elements(),
        .inputs = {x.tensors.front(), weight},
        .outputs = {y},
        .weight = weight});
  return {.tensors = {y}, .shape = x.shape};
}

}  // namespace cairn::model
