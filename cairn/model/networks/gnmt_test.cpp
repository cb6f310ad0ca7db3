#include <gtest/gtest.h>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

constexpr double kLayers = 5.0;
constexpr double kHidden = 64.0;
constexpr double kWords = 300.0;
constexpr double kSteps = 7.0;
constexpr double kBatch = 3.0;

const Gnmt kSmall{.layers = 5, .hidden = kHidden, .vocab = kWords, .steps = 7};

constexpr NetOptions kByLayer{.recurrent = RecurrentKernels::kByLayer};

// Four gates of a cell read h of its state, and as much of a word, of the layer below, of the
// context, or of another direction: of the L layers of the encoder the first is there twice and the
// second reads both; of the L of the decoder all but the first read a context.
double cells(double layers, double hidden) {
  const double read = (2.0 * layers + 1.0) * 2.0 + 1.0 + (layers - 1.0);
  return 4.0 * hidden * hidden * read;
}

// Queries and keys.
double attention(double hidden) {
  return 2.0 * hidden * hidden;
}

TEST(Gnmt, HasTheWeightsOfItsFormula) {
  for (const NetOptions& options : {NetOptions{}, kByLayer}) {
    const Counts counts = count(build(kSmall, kBatch, options));

    // A table for each language, a choice among words, and the vector of the scores.
    EXPECT_DOUBLE_EQ(
        counts.parameters,
        cells(kLayers, kHidden) + attention(kHidden) + kHidden + 3.0 * kWords * kHidden);
  }
}

// 273 M is what first-order models of the published network count; ours has 1.3 % more.
TEST(Gnmt, HasAboutAsManyWeightsAsOthersCount) {
  const double parameters = count(build(Gnmt{}, 1.0, kByLayer)).parameters;

  EXPECT_DOUBLE_EQ(parameters,
                   cells(8.0, 1024.0) + attention(1024.0) + 1024.0 + 3.0 * 32000.0 * 1024.0);
  EXPECT_NEAR(parameters / 273e6, 1.0, 0.02);
}

// Each step of each cell, a query and a key for each step, a sum of all memories for each query,
// and a choice among all words at each step.
TEST(Gnmt, HasTheWorkOfItsFormula) {
  for (const NetOptions& options : {NetOptions{}, kByLayer}) {
    const Counts counts = count(build(kSmall, kBatch, options));

    EXPECT_DOUBLE_EQ(
        counts.macs,
        kBatch * kSteps *
            (cells(kLayers, kHidden) + attention(kHidden) + kSteps * kHidden + kWords * kHidden));
  }
}

// Of each pair of a query and a key all features, again backward with their gradients.
TEST(Gnmt, ScoresTakeFourOperationsOfEveryPairAndFeature) {
  const Graph graph = with_backward_pass(build(kSmall, kBatch, {}));

  double forward = 0.0;
  double backward = 0.0;
  for (const Operator& op : graph.operators) {
    if (op.kind == OperatorKind::kAdditiveScores) {
      (op.pass == Pass::kForward ? forward : backward) += op.vector_ops;
    }
  }
  EXPECT_DOUBLE_EQ(forward, 4.0 * kBatch * kSteps * kSteps * kHidden);
  EXPECT_DOUBLE_EQ(backward, 2.0 * forward);
}

// Gradients of all readers of the context: every layer of the decoder but the first.
TEST(Gnmt, TheContextHasAGradientOfEachLayerThatReadsIt) {
  const Graph graph = with_backward_pass(build(kSmall, kBatch, kByLayer));

  double parts = 0.0;
  for (const Operator& op : graph.operators) {
    if (op.kind == OperatorKind::kAdd && op.pass == Pass::kDataGradient && op.name == "attention") {
      parts = static_cast<double>(op.inputs.size());
    }
  }
  EXPECT_DOUBLE_EQ(parts, kLayers - 1.0);
}

}  // namespace
}  // namespace cairn::model
