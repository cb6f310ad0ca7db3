#include <fmt/format.h>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Dlrm>& schema_of(const Dlrm*) {
  static const auto kSchema =
      Schema<Dlrm>("dlrm", "recommendation by embedding tables and an MLP (Naumov et al. 2019)")
          .optional("tables", &Dlrm::tables, "embedding tables")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("rows", &Dlrm::rows, "rows per table")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("dim", &Dlrm::dim, "embedding dimension, also of the bottom MLP's output")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("lookups", &Dlrm::lookups, "rows looked up and summed per table and sample")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("dense", &Dlrm::dense, "dense features")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional(
              "bottom", &Dlrm::bottom, "widths of the bottom MLP, before a last layer of width dim")
          .at_least(1)
          .optional("top", &Dlrm::top, "widths of the top MLP, before a last layer of width 1")
          .at_least(1);
  return kSchema;
}

namespace {

Value layers(Net& net,
             const std::string& name,
             Value x,
             const std::vector<std::uint32_t>& widths,
             double last) {
  const auto layer = [&](std::size_t i, double width) {
    const std::string mine = fmt::format("{}{}", name, i);
    return net.activation(mine + ".activation", net.fully_connected(mine, x, width));
  };
  for (std::size_t i = 0; i < widths.size(); ++i) {
    x = layer(i, widths[i]);
  }
  return layer(widths.size(), last);
}

}  // namespace

// Lookup first: where tables are partitioned across devices, its all-to-all overlaps with the
// bottom MLP.
Graph build(const Dlrm& dlrm, double batch, const NetOptions& options) {
  Net net("dlrm", batch, options);
  const Value looked_up = net.embedding_bag(
      "tables",
      {.tables = dlrm.tables, .rows = dlrm.rows, .width = dlrm.dim, .pooled = dlrm.lookups});
  Value dense = net.input("dense", {.samples = batch, .channels = dlrm.dense});
  dense = layers(net, "bottom", dense, dlrm.bottom, dlrm.dim);
  Value vectors = net.concat("vectors", {dense, looked_up});
  vectors.shape = {.samples = batch, .height = dlrm.tables + 1.0, .width = dlrm.dim};
  const Value pairs = net.below_diagonal("pairs", net.matmul("interaction", vectors, vectors));
  net.weighted_loss("loss",
                    layers(net, "top", net.concat("features", {dense, pairs}), dlrm.top, 1.0));
  return std::move(net).take();
}

}  // namespace cairn::model
