#include "cairn/model/recompute.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {
namespace {

constexpr double kBatch = 2.0;

constexpr Gpt kSmall{.layers = 3, .hidden = 48, .heads = 6, .vocab = 96, .seq = 8};

Graph small(const Training& training, Scores scores = Scores::kInPlace) {
  Gpt gpt = kSmall;
  gpt.scores = scores;
  gpt.dropout = scores == Scores::kStored;
  return with_backward_pass(build(gpt, kBatch, {}), training);
}

double macs_of_blocks(const Graph& graph, bool again) {
  double macs = 0.0;
  for (const Operator& op : graph.operators) {
    const bool of_block = op.name.starts_with("block");
    macs += of_block && (again || !op.again) ? op.macs() : 0.0;
  }
  return macs;
}

// Forward once, backward twice, forward once more. With stored scores it is exactly 4/3 (fused
// attention recomputes its scores backward anyway).
TEST(RecomputedBlocks, TakeFourThirdsOfTheWork) {
  const Graph graph = small({.checkpoints = Checkpoints::kBlocks}, Scores::kStored);

  EXPECT_DOUBLE_EQ(macs_of_blocks(graph, true), 4.0 / 3.0 * macs_of_blocks(graph, false));
  EXPECT_DOUBLE_EQ(macs_of(graph), macs_of(small({}, Scores::kStored)));
}

// Per block one activation lives from the forward to the backward pass: its input.
TEST(RecomputedBlocks, SaveOnlyTheirInputs) {
  for (const Scores scores : {Scores::kInPlace, Scores::kStored}) {
    const Graph graph = small({.checkpoints = Checkpoints::kBlocks}, scores);
    std::set<Id<Tensor>> made;  // in the forward pass of a block
    std::set<Id<Tensor>> kept;
    for (const Operator& op : graph.operators) {
      if (op.block > 0 && !op.in_backward_pass()) {
        made.insert(op.outputs.begin(), op.outputs.end());
      }
      if (op.in_backward_pass()) {
        for (const Id<Tensor> input : op.inputs) {
          if (made.contains(input)) {
            kept.insert(input);
          }
        }
      }
    }
    // The last block's output is the input of the final norm.
    EXPECT_EQ(kept.size(), kSmall.layers);
    for (const Id<Tensor> tensor : kept) {
      EXPECT_TRUE(graph.tensor(tensor).name.ends_with("add2")) << graph.tensor(tensor).name;
    }
  }
}

// Section 5 of Korthikanti et al. 2022: both GEMMs of attention are recomputed, 4 b s^2 h flops per
// block, and no scores are saved.
TEST(RecomputedScores, RepeatTheGemmsOfAttentionOnly) {
  const Graph kept = small({}, Scores::kStored);
  const Graph graph = small({.checkpoints = Checkpoints::kSelective}, Scores::kStored);
  double again = 0.0;
  for (const Operator& op : graph.operators) {
    again += op.again ? op.macs() : 0.0;
    for (const Id<Tensor> input : op.inputs) {
      const bool of_scores = graph.tensor(input).name.ends_with(".softmax") &&
                             graph.tensor(input).kind == TensorKind::kActivation;
      if (of_scores && op.in_backward_pass() && !op.again) {
        EXPECT_GE(input.index(), kept.tensors.size()) << op.name;  // recomputed
      }
    }
  }

  EXPECT_DOUBLE_EQ(again,
                   kSmall.layers * 2.0 * graph.batch * kSmall.seq * kSmall.seq * kSmall.hidden);
  EXPECT_DOUBLE_EQ(macs_of(graph), macs_of(kept));
}

// Every input was written before, and every tensor but weights and their gradients is written once.
TEST(RecomputedBlocks, KeepTopologicalOrder) {
  for (const Checkpoints checkpoints : {Checkpoints::kBlocks, Checkpoints::kSelective}) {
    const Graph graph =
        small({.optimizer = Optimizer::kAdam, .checkpoints = checkpoints}, Scores::kStored);
    std::map<Id<Tensor>, int> written;
    std::map<Id<Tensor>, int> writers;
    for (const Operator& op : graph.operators) {
      for (const Id<Tensor> output : op.outputs) {
        ++writers[output];
      }
    }
    for (const Operator& op : graph.operators) {
      for (const Id<Tensor> input : op.inputs) {
        const TensorKind kind = graph.tensor(input).kind;
        const bool ready = !writers.contains(input) || written[input] > 0 ||
                           kind == TensorKind::kWeight || kind == TensorKind::kWeightGradient;
        EXPECT_TRUE(ready) << op.name << " reads " << graph.tensor(input).name;
      }
      for (const Id<Tensor> output : op.outputs) {
        const TensorKind kind = graph.tensor(output).kind;
        if (kind != TensorKind::kWeight && kind != TensorKind::kWeightGradient) {
          EXPECT_EQ(++written[output], 1) << graph.tensor(output).name;
        }
      }
    }
  }
}

// Bytes read and written per weight with 2-byte training precision.
TEST(Update, HasTheTrafficOfItsStates) {
  const auto bytes = [](const Training& training) {
    const Graph graph = small(training);
    double sum = 0.0;
    double weights = 0.0;
    for (const Operator& op : graph.operators) {
      if (op.pass == Pass::kUpdate) {
        weights += graph.tensor(op.outputs.front()).elements;
        for (const auto* tensors : {&op.inputs, &op.outputs}) {
          for (const Id<Tensor> tensor : *tensors) {
            sum += bytes_of(graph.tensor(tensor), Bytes(2.0)).si();
          }
        }
      }
    }
    return sum / weights;
  };
  const double weight = 2.0 + 2.0;  // read and written; or only written, with a master copy
  const double fp32 = 4.0 + 4.0;

  EXPECT_DOUBLE_EQ(bytes({}), 2.0 + weight);
  EXPECT_DOUBLE_EQ(bytes({.optimizer = Optimizer::kAdam}), 2.0 + weight + 2.0 * fp32);
  EXPECT_DOUBLE_EQ(bytes({.optimizer = Optimizer::kAdam, .master_weights = true}),
                   2.0 + 2.0 + 3.0 * fp32);  // 28
}

}  // namespace
}  // namespace cairn::model
