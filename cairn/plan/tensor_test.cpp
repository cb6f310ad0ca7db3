// Layers in pairs, the first by its output channels, the second by the terms of its sums (Shoeybi
// et al., Megatron-LM, 2019): what is exchanged, in closed form.
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

constexpr double kBatch = 24.0;
constexpr Gpt kSmall{.layers = 2, .hidden = 48, .heads = 6, .vocab = 96, .seq = 8};
constexpr Gpt kLlama{.layers = 2,
                     .hidden = 48,
                     .heads = 6,
                     .vocab = 96,
                     .seq = 8,
                     .mlp = model::Mlp::kGated,
                     .intermediate = 132,
                     .norm = model::Norm::kRms,
                     .positions = model::Positions::kRotary,
                     .kv_heads = 3,
                     .bias = false};
constexpr double kMap = kBatch * 8.0 * 48.0;  // what flows between blocks
constexpr double kRows = kBatch * 8.0;

Graph training(const Gpt& gpt, const model::Training& how = {}) {
  return with_backward_pass(build(gpt, kBatch, {}), how);
}

Plan spread(const Graph& graph, const Strategy& strategy) {
  const Mesh mesh{.sizes = {strategy.kernel1, 1, std::max(strategy.data, 1U), strategy.stages}};
  return *parallelize(graph, strategy, mesh);
}

// All-reduces along k1 of so many elements, forward and backward.
std::pair<int, int> all_reduces(const Plan& plan, double elements) {
  std::pair<int, int> count{0, 0};
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.axes == Axes(Axis::kKernel1)) {
      EXPECT_EQ(exchange.op, Op::kAllReduce) << exchange.name;
      if (exchange.elements == elements) {
        ++(exchange.backward ? count.second : count.first);
      }
    }
  }
  return count;
}

constexpr Strategy kThree{.parallelism = Parallelism::kTensor, .kernel1 = 3, .data = 1};

// Section 3 of the paper: two forward and two backward per block. Besides, the table's result and
// the gradient of what the head reads; of the probabilities two numbers per row.
TEST(Tensor, SumsTwiceForwardAndTwiceBackwardInEachBlock) {
  for (const auto scores : {model::Scores::kInPlace, model::Scores::kStored}) {
    Gpt gpt = kSmall;
    gpt.scores = scores;
    const Plan plan = spread(training(gpt), kThree);

    EXPECT_EQ(all_reduces(plan, kMap), std::pair(2 * 2 + 1, 2 * 2 + 1));
    EXPECT_EQ(all_reduces(plan, 2.0 * kRows), std::pair(1, 0));
    EXPECT_EQ(plan.exchanges.size(), 5U + 5U + 1U);
  }
}

// Heads are turned, and halves weigh each other, where they are; so a Llama exchanges what a GPT
// does. Of its products every device has a third, of its groups of queries one.
TEST(Tensor, OfALlamaSumsAsOftenAsOfAGpt) {
  const Graph graph = training(kLlama);
  const Plan plan = spread(graph, kThree);

  EXPECT_EQ(all_reduces(plan, kMap), std::pair(2 * 2 + 1, 2 * 2 + 1));
  EXPECT_EQ(plan.exchanges.size(), 5U + 5U + 1U);
  ASSERT_EQ(plan.graph.operators.size(), graph.operators.size());
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& there = graph.operators[i];
    const Operator& here = plan.graph.operators[i];
    EXPECT_NEAR(3.0 * here.macs(), there.macs(), 1e-9 * there.macs()) << there.name;
    const bool norm_or_shortcut =
        there.name.find("norm") != std::string::npos || there.name.find("add") != std::string::npos;
    if (!norm_or_shortcut && !there.contraction && there.name.starts_with("block")) {
      EXPECT_NEAR(3.0 * here.vector_ops, there.vector_ops, 1e-6) << there.name;
    }
    if (here.attention) {
      EXPECT_EQ(here.attention->key_heads, 1.0);
    }
  }
}

TEST(Tensor, WithFewerKeyHeadsThanShardsIsInfeasible) {
  const Strategy six{.parallelism = Parallelism::kTensor, .kernel1 = 6, .data = 1};
  const auto plan = parallelize(training(kLlama), six, Mesh{.sizes = {6, 1, 1, 1}});

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "block0.attention: 3 KV heads < 6 tensor shards");
}

// A block that runs again sums again what it summed: twice.
TEST(Tensor, SumsAgainWhatIsMadeAgain) {
  const Plan plan = spread(training(kSmall, {.checkpoints = model::Checkpoints::kBlocks}), kThree);

  EXPECT_EQ(all_reduces(plan, kMap), std::pair(2 * 2 + 1, 2 * (2 + 2) + 1));
}

// Devices share all products; what has no weight to cut, layer norms and shortcuts, is done by all.
TEST(Tensor, SharesProductsAndRepeatsLayerNorms) {
  const Graph graph = training(kSmall);
  const Plan plan = spread(graph, kThree);

  ASSERT_EQ(plan.graph.operators.size(), graph.operators.size());
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& there = graph.operators[i];
    const Operator& here = plan.graph.operators[i];
    EXPECT_NEAR(3.0 * here.macs(), there.macs(), 1e-9 * there.macs()) << there.name;
    const bool whole =
        there.name.find("norm") != std::string::npos || there.name.find("add") != std::string::npos;
    if (whole && there.pass != Pass::kUpdate) {
      EXPECT_DOUBLE_EQ(here.vector_ops, there.vector_ops) << there.name;
    }
    if (there.name.find("gelu") != std::string::npos) {
      EXPECT_NEAR(3.0 * here.vector_ops, there.vector_ops, 1e-6) << there.name;
    }
  }
}

// Over replicas, each shard sums the gradients of what it has; over stages it sends what flows
// between blocks, all of it from each shard.
TEST(Tensor, GoesWithReplicasAndStages) {
  const Graph graph = training(kSmall);
  Strategy strategy{.parallelism = Parallelism::kTensor,
                    .kernel1 = 2,
                    .data = 3,
                    .stages = 2,
                    .micro_batches = 1,
                    .cuts = {"block1.norm1"}};
  const Plan plan = spread(graph, strategy);

  std::map<bool, double> sent;
  double summed = 0.0;
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.between_stages()) {
      sent[exchange.backward] += exchange.elements;
    } else if (exchange.axes == Axes(Axis::kData)) {
      summed += exchange.elements;
    }
  }
  double weights = 0.0;  // of one device of each stage
  for (const Operator& op : plan.graph.operators) {
    if (op.pass == Pass::kUpdate) {
      weights += plan.graph.tensor(op.outputs.front()).elements;
    }
  }
  EXPECT_DOUBLE_EQ(sent[false], kMap / 3.0);
  EXPECT_DOUBLE_EQ(sent[true], kMap / 3.0);
  EXPECT_DOUBLE_EQ(summed, weights);
  const double h = 48.0;
  const double block = 12.0 * h * h + 3.0 * h + h + 4.0 * h + h + 4.0 * h;
  const double cut = (12.0 * h * h + 3.0 * h + 4.0 * h) / 2.0 + h + h + 4.0 * h;
  EXPECT_LT(cut, block);
  EXPECT_DOUBLE_EQ(weights, 2.0 * cut + 2.0 * 96.0 * h / 2.0 + 8.0 * h + 2.0 * h);
}

TEST(Tensor, WithFewerHeadsThanShardsIsInfeasible) {
  const Strategy eight{.parallelism = Parallelism::kTensor, .kernel1 = 8, .data = 1};
  const auto plan = parallelize(training(kSmall), eight, Mesh{.sizes = {8, 1, 1, 1}});

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "block0.attention: 6 heads < 8 tensor shards");
}

}  // namespace
}  // namespace cairn::plan
