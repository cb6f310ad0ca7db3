// Tensor parallelism: pairs of a column-parallel and a row-parallel layer (Shoeybi et al.,
// Megatron-LM, 2019): exchanges in closed form.
#include <gtest/gtest.h>

#include <algorithm>
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
constexpr double kMap = kBatch * 8.0 * 48.0;  // activation between blocks
constexpr double kRows = kBatch * 8.0;

Graph training(const Gpt& gpt, const model::Training& how = {}) {
  return with_backward_pass(build(gpt, kBatch, {}), how);
}

Plan spread(const Graph& graph, const Strategy& strategy) {
  const Mesh mesh{{Axis::kTensor, strategy.tensor_rows},
                  {Axis::kData, std::max(strategy.data, 1U)},
                  {Axis::kPipeline, strategy.stages}};
  return *parallelize(graph, strategy, mesh);
}

// All-reduces along k1 of this many elements, forward and backward.
std::pair<int, int> all_reduces(const Plan& plan, double elements) {
  std::pair<int, int> count{0, 0};
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.axes == Axes(Axis::kTensor)) {
      EXPECT_EQ(exchange.op, Op::kAllReduce) << exchange.name;
      if (exchange.elements == elements) {
        ++(exchange.backward ? count.second : count.first);
      }
    }
  }
  return count;
}

constexpr Strategy kThree{.parallelism = Parallelism::kTensor, .tensor_rows = 3, .data = 1};

// Section 3 of the paper: two forward and two backward per block. In addition, the embedding's
// output and the gradient of the head's input; for the probabilities two numbers per row.
TEST(Tensor, AllReducesTwiceForwardAndTwiceBackwardInEachBlock) {
  for (const auto scores : {model::Scores::kInPlace, model::Scores::kStored}) {
    Gpt gpt = kSmall;
    gpt.scores = scores;
    const Plan plan = spread(training(gpt), kThree);

    EXPECT_EQ(all_reduces(plan, kMap), std::pair(2 * 2 + 1, 2 * 2 + 1));
    EXPECT_EQ(all_reduces(plan, 2.0 * kRows), std::pair(1, 0));
    EXPECT_EQ(plan.exchanges.size(), 5U + 5U + 1U);
  }
}

// RoPE and SwiGLU are local, so a Llama has the exchanges of a GPT. Every device has a third of the
// GEMMs, and one KV head.
TEST(Tensor, OfALlamaHasTheAllReducesOfAGpt) {
  const Graph graph = training(kLlama);
  const Plan plan = spread(graph, kThree);

  EXPECT_EQ(all_reduces(plan, kMap), std::pair(2 * 2 + 1, 2 * 2 + 1));
  EXPECT_EQ(plan.exchanges.size(), 5U + 5U + 1U);
  ASSERT_EQ(plan.graph.operators.size(), graph.operators.size());
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& there = graph.operators[i];
    const Operator& here = plan.graph.operators[i];
    EXPECT_NEAR(3.0 * here.macs(), there.macs(), 1e-9 * there.macs()) << there.name;
    const bool norm_or_residual =
        there.name.find("norm") != std::string::npos || there.name.find("add") != std::string::npos;
    if (!norm_or_residual && !there.contraction && there.name.starts_with("block")) {
      EXPECT_NEAR(3.0 * here.vector_ops, there.vector_ops, 1e-6) << there.name;
    }
    if (here.attention) {
      EXPECT_EQ(here.attention->key_heads, 1.0);
    }
  }
}

// A head is whole on its device, so norms of queries and keys exchange nothing. All heads share the
// weights, whose gradients are summed: 8 features of a head, for queries and for keys of 2 blocks.
TEST(Tensor, NormsOfHeadsSumTheirWeightGradients) {
  Gpt gpt = kLlama;
  gpt.qk_norm = true;
  const Plan plain = spread(training(kLlama), kThree);
  const Plan plan = spread(training(gpt), kThree);

  EXPECT_EQ(all_reduces(plan, 8.0), std::pair(0, 2 * 2));
  EXPECT_EQ(plan.exchanges.size(), plain.exchanges.size() + 4U);
  for (const Operator& op : plan.graph.operators) {
    if (op.rows_of_heads && op.pass == Pass::kForward) {
      EXPECT_DOUBLE_EQ(plan.graph.tensor(op.inputs.back()).elements, 8.0);
    }
  }
}

TEST(Tensor, WithFewerKvHeadsThanShardsIsInfeasible) {
  const Strategy six{.parallelism = Parallelism::kTensor, .tensor_rows = 6, .data = 1};
  const auto plan = parallelize(training(kLlama), six, Mesh{{Axis::kTensor, 6}});

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "block0.attention: 3 KV heads < 6 tensor shards");
}

// The message names the counts below and above that divide the heads.
TEST(Tensor, WithHeadsThatDoNotDivideIsInfeasible) {
  Gpt gpt = kSmall;
  gpt.hidden = 96;
  gpt.heads = 96;
  const auto reason = [&](std::uint32_t shards, std::uint32_t kv_heads, model::Scores scores) {
    gpt.kv_heads = kv_heads;
    gpt.scores = scores;
    const Strategy strategy{.parallelism = Parallelism::kTensor, .tensor_rows = shards, .data = 1};
    const auto plan = parallelize(training(gpt), strategy, Mesh{{Axis::kTensor, shards}});
    return plan ? std::string() : plan.reason().limit() + ": " + plan.reason().detail;
  };
  using enum model::Scores;

  EXPECT_EQ(reason(8, 0, kInPlace), "");
  EXPECT_EQ(reason(7, 0, kInPlace),
            "strategy: block0.attention: 96 heads do not divide into 7 tensor shards (use 6 or 8)");
  EXPECT_EQ(reason(7, 0, kStored),
            "strategy: block0.attention.scores: 96 heads do not divide into 7 tensor shards "
            "(use 6 or 8)");
  // 6 shards would divide the query heads.
  EXPECT_EQ(reason(6, 8, kInPlace),
            "strategy: block0.attention: 8 KV heads do not divide into 6 tensor shards "
            "(use 4 or 8)");
}

// A recomputed block repeats its two all-reduces.
TEST(Tensor, RepeatsAllReducesOfRecomputedBlocks) {
  const Plan plan = spread(training(kSmall, {.checkpoints = model::Checkpoints::kBlocks}), kThree);

  EXPECT_EQ(all_reduces(plan, kMap), std::pair(2 * 2 + 1, 2 * (2 + 2) + 1));
}

// GEMMs are split; layer norms and residual connections, without a weight to split, are replicated.
TEST(Tensor, SplitsGemmsAndReplicatesLayerNorms) {
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

// Over replicas, each shard all-reduces its own gradients; over stages, each shard sends the whole
// activation between blocks.
TEST(Tensor, CombinesWithReplicasAndStages) {
  const Graph graph = training(kSmall);
  Strategy strategy{.parallelism = Parallelism::kTensor,
                    .tensor_rows = 2,
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
  const Strategy eight{.parallelism = Parallelism::kTensor, .tensor_rows = 8, .data = 1};
  const auto plan = parallelize(training(kSmall), eight, Mesh{{Axis::kTensor, 8}});

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "block0.attention: 6 heads < 8 tensor shards");
}

// One GEMM per sample and head: more samples do not make up for missing heads.
TEST(Tensor, StoredScoresNeedAHeadPerShard) {
  Gpt gpt = kSmall;
  gpt.scores = model::Scores::kStored;
  const Strategy eight{.parallelism = Parallelism::kTensor, .tensor_rows = 8, .data = 1};

  const auto plan = parallelize(training(gpt), eight, Mesh{{Axis::kTensor, 8}});

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "block0.attention.scores: 6 heads < 8 tensor shards");
}

}  // namespace
}  // namespace cairn::plan
