#include <gtest/gtest.h>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

constexpr double kLayers = 5.0;
constexpr double kHidden = 64.0;
constexpr double kVocabulary = 300.0;
constexpr double kSteps = 7.0;
constexpr double kBatch = 3.0;

const Gnmt kSmall{.layers = 5, .hidden = kHidden, .vocab = kVocabulary, .steps = 7};

constexpr NetOptions kByLayer{.recurrent = RecurrentKernels::kByLayer};

// Four gates of a cell read h features of its state and of each input. Encoder: the first of L
// layers is bidirectional and the second reads both directions. Decoder: all but the first of L
// layers also read the context.
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

    // An embedding for each language, the output layer, and the vector of the scores.
    EXPECT_DOUBLE_EQ(
        counts.parameters,
        cells(kLayers, kHidden) + attention(kHidden) + kHidden + 3.0 * kVocabulary * kHidden);
  }
}

// First-order models of the published network count 273 M; ours has 1.3 % more.
TEST(Gnmt, HasAboutTheWeightsOfFirstOrderModels) {
  const double parameters = count(build(Gnmt{}, 1.0, kByLayer)).parameters;

  EXPECT_DOUBLE_EQ(parameters,
                   cells(8.0, 1024.0) + attention(1024.0) + 1024.0 + 3.0 * 32000.0 * 1024.0);
  EXPECT_NEAR(parameters / 273e6, 1.0, 0.02);
}

// Cells, query and key projections, a weighted sum of the encoder's outputs per query, and the
// output layer, at each step.
TEST(Gnmt, HasTheMacsOfItsFormula) {
  for (const NetOptions& options : {NetOptions{}, kByLayer}) {
    const Counts counts = count(build(kSmall, kBatch, options));

    EXPECT_DOUBLE_EQ(counts.macs,
                     kBatch * kSteps *
                         (cells(kLayers, kHidden) + attention(kHidden) + kSteps * kHidden +
                          kVocabulary * kHidden));
  }
}

// Per query, key and feature; backward twice, for recomputation and gradients.
TEST(Gnmt, ScoresTakeFourOperationsPerPairAndFeature) {
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

// Every layer of the decoder but the first reads the context.
TEST(Gnmt, TheContextAddsTheGradientsOfItsReaders) {
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
