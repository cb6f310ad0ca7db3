#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

constexpr double kBatch = 6.0;
constexpr double kTables = 5.0;
constexpr double kRows = 1000.0;
constexpr double kDim = 8.0;
constexpr double kLookups = 3.0;

const Dlrm kSmall{.tables = kTables,
                  .rows = kRows,
                  .dim = kDim,
                  .lookups = kLookups,
                  .dense = 13,
                  .bottom = {32},
                  .top = {64, 16}};

// Weights of the MLPs, without tables. The top MLP reads the bottom's features and all pairs.
double layers() {
  const double features = kDim + (kTables + 1.0) * kTables / 2.0;
  return 13.0 * 32.0 + 32.0 * kDim + features * 64.0 + 64.0 * 16.0 + 16.0;
}

TEST(Dlrm, HasTheWeightsOfItsFormula) {
  EXPECT_DOUBLE_EQ(count(build(kSmall, kBatch, {})).parameters, layers() + kTables * kRows * kDim);
}

// MLPs, and pairwise products of all vectors.
TEST(Dlrm, HasTheMacsOfItsFormula) {
  EXPECT_DOUBLE_EQ(count(build(kSmall, kBatch, {})).macs,
                   kBatch * (layers() + (kTables + 1.0) * (kTables + 1.0) * kDim));
}

// The gradients of its layers in fp32 are 16 and 92 MB, as those of the production run whose
// all-reduces the ACE paper measured, as recalled.
TEST(Dlrm, DefaultLayersHaveTheMeasuredSizes) {
  double bottom = 0.0;
  double top = 0.0;
  const Graph graph = build(Dlrm{}, 1.0, {});
  for (const Operator& op : graph.operators) {
    if (op.weight && op.kind == OperatorKind::kFullyConnected) {
      (op.name.starts_with("bottom") ? bottom : top) += 4.0 * graph.tensor(*op.weight).elements;
    }
  }
  EXPECT_NEAR(bottom / 16e6, 1.0, 0.02);
  EXPECT_NEAR(top / 92e6, 1.0, 0.02);
}

// Lookup, bottom MLP, interaction, so that exchanges of the lookup overlap with the bottom MLP.
TEST(Dlrm, LooksUpFirst) {
  const Graph graph = build(kSmall, kBatch, {});

  EXPECT_EQ(graph.operators.front().kind, OperatorKind::kEmbedding);
  EXPECT_EQ(graph.operators[1].name, "bottom0");
}

// Rows are updated in place: no tensor of the size of a table is allocated.
TEST(Dlrm, HasNoGradientOfItsTables) {
  for (const Optimizer optimizer : {Optimizer::kSgd, Optimizer::kAdam}) {
    const Graph graph = with_backward_pass(build(kSmall, kBatch, {}), {.optimizer = optimizer});

    int updates = 0;
    for (const Operator& op : graph.operators) {
      for (const Id<Tensor> output : op.outputs) {
        const Tensor& made = graph.tensor(output);
        EXPECT_TRUE(made.kind != TensorKind::kWeightGradient || made.name != "dtables.weight");
        updates += made.name == "tables.weight" ? 1 : 0;
      }
      if (op.lookups && op.pass == Pass::kUpdate) {
        const double ops = optimizer == Optimizer::kSgd ? 2.0 : 13.0;
        EXPECT_DOUBLE_EQ(op.vector_ops, ops * kBatch * kTables * kDim * kLookups);
        EXPECT_EQ(graph.tensor(op.inputs[0]).name, "dtables");
      }
    }
    EXPECT_EQ(updates, 1);
  }
}

// The gradient of the looked-up rows is computed before those of the bottom MLP; the update comes
// after them.
TEST(Dlrm, UpdatesRowsAfterTheBottomLayers) {
  const Graph graph = with_backward_pass(build(kSmall, kBatch, {}));

  std::size_t sum = 0;
  std::size_t first_of_bottom = graph.operators.size();
  std::size_t last_of_bottom = 0;
  std::size_t update = 0;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    if (op.pass == Pass::kUpdate) {
      update = op.lookups ? i : update;
    } else if (op.pass != Pass::kForward && op.name.starts_with("bottom0")) {
      last_of_bottom = i;
    } else if (op.pass != Pass::kForward && op.name.starts_with("bottom1")) {
      first_of_bottom = std::min(first_of_bottom, i);
    } else if (op.kind == OperatorKind::kAdd && op.name == "vectors") {
      sum = i;
    }
  }
  EXPECT_LT(0U, sum);
  EXPECT_LT(sum, first_of_bottom);
  EXPECT_LT(last_of_bottom, update);
}

TEST(Dlrm, LooksUpAndUpdatesInTheBackgroundOnRequest) {
  for (const Tables tables : {Tables::kSequential, Tables::kBackground}) {
    const Graph graph = with_backward_pass(build(kSmall, kBatch, {}), {.tables = tables});

    int in_background = 0;
    for (const Operator& op : graph.operators) {
      in_background += op.background ? 1 : 0;
      EXPECT_TRUE(op.lookups || !op.background);
    }
    EXPECT_EQ(in_background, tables == Tables::kBackground ? 2 : 0);
  }
}

}  // namespace
}  // namespace cairn::model
