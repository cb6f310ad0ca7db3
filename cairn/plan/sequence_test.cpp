// Sequence parallelism (Korthikanti et al., Reducing Activation Recomputation in Large Transformer
// Models, 2022): exchanges in closed form.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {
namespace {

using comm::Op;
using model::Gpt;
using model::Graph;
using model::Operator;
using model::Pass;

constexpr double kBatch = 4.0;
constexpr Gpt kSmall{.layers = 2, .hidden = 48, .heads = 6, .vocab = 96, .seq = 12};
constexpr double kMap = kBatch * 12.0 * 48.0;  // activation between blocks

Plan spread(bool sequence_parallel) {
  const Strategy strategy{.parallelism = Parallelism::kTensor,
                          .tensor_rows = 3,
                          .data = 1,
                          .sequence_parallel = sequence_parallel};
  return *parallelize(
      with_backward_pass(build(kSmall, kBatch, {})), strategy, Mesh{{Axis::kTensor, 3}});
}

// Exchanges of activations between blocks, forward and backward.
std::map<Op, std::pair<int, int>> exchanges(const Plan& plan) {
  std::map<Op, std::pair<int, int>> count;
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.elements == kMap) {
      auto& [forward, backward] = count[exchange.op];
      ++(exchange.backward ? backward : forward);
    }
  }
  return count;
}

// Figure 5 of the paper: each block's two all-reduces, forward and backward, become an all-gather
// and a reduce-scatter; a layer's input is gathered again for its weight gradient. The embedding's
// output is reduce-scattered and its gradient gathered; the head's input is gathered, twice, and
// its gradient reduce-scattered.
TEST(SequenceParallel, ReplacesAllReducesByAllGathersAndReduceScatters) {
  const auto there = exchanges(spread(true));

  EXPECT_FALSE(there.contains(Op::kAllReduce));
  EXPECT_EQ(there.at(Op::kAllGather), std::pair(2 * 2 + 1, 2 * (2 + 2) + 1 + 1));
  EXPECT_EQ(there.at(Op::kReduceScatter), std::pair(2 * 2 + 1, 2 * 2 + 1));
}

// Without the repeated all-gathers: a ring all-reduce is a reduce-scatter and an all-gather.
TEST(SequenceParallel, HasTheTrafficOfTensorParallelism) {
  const auto with = exchanges(spread(true));
  const auto without = exchanges(spread(false));
  const int again = 2 * 2 + 1;
  const auto sum = [](const std::pair<int, int>& both) { return both.first + both.second; };

  EXPECT_EQ(sum(with.at(Op::kAllGather)) - again + sum(with.at(Op::kReduceScatter)),
            2 * sum(without.at(Op::kAllReduce)));
}

// Norms and residual connections are replicated, or split along the sequence; GEMMs always are.
TEST(SequenceParallel, SplitsNormsAndResidualConnections) {
  const Plan with = spread(true);
  const Plan without = spread(false);

  ASSERT_EQ(with.graph.operators.size(), without.graph.operators.size());
  for (std::size_t i = 0; i < with.graph.operators.size(); ++i) {
    const Operator& one = with.graph.operators[i];
    const Operator& all = without.graph.operators[i];
    const bool shared =
        all.name.find("norm") != std::string::npos || all.name.find("add") != std::string::npos;
    EXPECT_DOUBLE_EQ(one.macs(), all.macs()) << all.name;
    if (shared && all.pass != Pass::kUpdate) {
      EXPECT_NEAR(3.0 * one.vector_ops, all.vector_ops, 1e-9 * all.vector_ops) << all.name;
    }
  }
}

// Gradients of replicated weights (norms, biases after reductions) cover a device's positions only
// and are all-reduced; those of split weights are not.
TEST(SequenceParallel, AllReducesGradientsOfReplicatedWeights) {
  const Plan plan = spread(true);
  double summed = 0.0;
  for (const Exchange& exchange : plan.exchanges) {
    for (const Id<model::Tensor> tensor : exchange.from) {
      if (plan.graph.tensor(tensor).kind == model::TensorKind::kWeightGradient) {
        EXPECT_EQ(exchange.op, Op::kAllReduce) << exchange.name;
        summed += exchange.elements;
      }
    }
  }
  const double h = 48.0;

  EXPECT_DOUBLE_EQ(summed, 2.0 * (2.0 * 2.0 * h + 2.0 * h) + 2.0 * h + 12.0 * h);
}

TEST(SequenceParallel, NeedsTensorParallelism) {
  EXPECT_FALSE(
      make_mesh({.parallelism = Parallelism::kData, .data = 2, .sequence_parallel = true}, 2)
          .feasible());
}

}  // namespace
}  // namespace cairn::plan
