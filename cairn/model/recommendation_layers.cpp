// Layers of recommendation models: embedding bags and pairwise interactions of vectors (Naumov
// et al., Deep Learning Recommendation Model for Personalization and Recommendation Systems, 2019).
#include <fmt/format.h>

#include "cairn/model/net.hpp"

namespace cairn::model {

namespace {

constexpr Bytes kRowIndex(8.0);  // int64, as in PyTorch

}  // namespace

Value Net::embedding_bag(const std::string& name, const EmbeddingBag& layer) {
  expect(3.0);
  const Shape out{.samples = batch(), .channels = layer.tables * layer.width};
  const Id<Tensor> numbers =
      graph_.add({.name = name + ".rows",
                  .kind = TensorKind::kData,
                  .elements = checked(batch() * layer.tables * layer.pooled, batch()),
                  .element = kRowIndex});
  const Id<Tensor> tables = add_weight(name, layer.tables * layer.rows * layer.width);
  const Id<Tensor> y = add_map(name, out.elements());
  push({.name = name,
        .kind = OperatorKind::kEmbedding,
        .lookups = Lookups{.tables = layer.tables, .pooled = layer.pooled},
        .vector_ops = out.elements() * layer.pooled,
        .inputs = {numbers, tables},
        .outputs = {y},
        .weight = tables,
        .saved = {numbers}});
  return {.tensors = {y}, .shape = out};
}

Value Net::below_diagonal(const std::string& name, const Value& x) {
  const double side = x.shape.height;
  if (x.shape.width != side || side < 2.0) {
    throw ShapeError(fmt::format("{} is not a square matrix of at least 2 x 2", to_text(x.shape)));
  }
  Shape out = x.shape;
  out.channels *= side * (side - 1.0) / 2.0;
  out.height = out.width = 1.0;
  return cheap(name, OperatorKind::kPool, x, out, 1.0).value;
}

}  // namespace cairn::model
