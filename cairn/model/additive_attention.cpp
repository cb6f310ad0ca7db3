// Additive attention: scores come from a small network of each query and key, not from a GEMM
// (Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align and Translate,
// 2015).
#include <utility>

#include "cairn/model/net.hpp"

namespace cairn::model {

namespace {

// Per query, key and feature: sum, hyperbolic tangent, product with v, accumulation.
constexpr double kOpsPerFeature = 4.0;

}  // namespace

Value Net::additive_attention(const std::string& name, const Value& queries, const Value& memory) {
  const double features = queries.shape.features();
  const double samples = queries.shape.samples;
  const Value values = memory.tensors.size() == 1 ? memory : concat(name + ".memory", {memory});
  const Value q = fully_connected(name + ".query", queries, features);
  const Value k = fully_connected(name + ".keys", values, features);
  expect(2.0);
  const Id<Tensor> v = add_weight(name + ".scores", features);
  const Shape pairs{.samples = samples, .height = queries.shape.steps, .width = values.shape.steps};
  const Id<Tensor> scores = add_map(name + ".scores", pairs.elements());
  std::vector<Id<Tensor>> maps{q.tensors.front(), k.tensors.front()};
  push({.name = name + ".scores",
        .kind = OperatorKind::kAdditiveScores,
        .vector_ops = kOpsPerFeature * pairs.elements() * features,
        .inputs = {maps.front(), maps.back(), v},
        .outputs = {scores},
        .weight = v,
        .saved = maps});
  const Value shares = softmax(name + ".softmax", {.tensors = {scores}, .shape = pairs});
  // Per sample, a row for each feature and a column for each step.
  const Shape columns{
      .samples = samples, .height = values.shape.features(), .width = values.shape.steps};
  const Value y = matmul(name, shares, {.tensors = values.tensors, .shape = columns});
  return {
      .tensors = y.tensors,
      .shape = {
          .samples = samples, .steps = queries.shape.steps, .channels = values.shape.features()}};
}

}  // namespace cairn::model
