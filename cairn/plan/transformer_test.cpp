// Partitioning a GPT: attention by samples or heads, layer norms by rows, and infeasible cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {
namespace {

using model::Gpt;
using model::Graph;
using model::Operator;
using model::OperatorKind;
using model::Pass;

constexpr double kBatch = 24.0;
const Gpt kSmall{.layers = 2, .hidden = 48.0, .heads = 6, .vocab = 96.0, .seq = 8};

Graph training(const Gpt& gpt) {
  return with_backward_pass(build(gpt, kBatch, {}));
}

// Axes that are not given have size 1.
Feasible<Plan> spread(const Gpt& gpt, Strategy strategy) {
  for (std::uint32_t* size :
       {&strategy.tensor_rows, &strategy.tensor_columns, &strategy.data, &strategy.stages}) {
    *size = std::max(*size, 1U);
  }
  const std::uint32_t devices =
      strategy.tensor_rows * strategy.tensor_columns * strategy.data * strategy.stages;
  return parallelize(training(gpt), strategy, *make_mesh(strategy, devices));
}

// MACs and element-wise operations of each operator, by name and pass.
std::map<std::string, double> work_of(const Graph& graph) {
  std::map<std::string, double> work;
  for (const Operator& op : graph.operators) {
    work[op.name + "/" + std::string(to_text(op.pass))] += op.macs() + op.vector_ops;
  }
  return work;
}

TEST(GptOnOneDevice, IsTheModelItself) {
  const Graph graph = training(kSmall);
  const Plan plan = *spread(kSmall, {});

  EXPECT_TRUE(plan.exchanges.empty());
  ASSERT_EQ(plan.graph.operators.size(), graph.operators.size());
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& there = graph.operators[i];
    const Operator& here = plan.graph.operators[i];
    EXPECT_EQ(here.name, there.name);
    EXPECT_DOUBLE_EQ(here.macs(), there.macs());
    EXPECT_DOUBLE_EQ(here.vector_ops, there.vector_ops);
    for (std::size_t t = 0; t < there.inputs.size(); ++t) {
      EXPECT_DOUBLE_EQ(plan.graph.tensor(here.inputs[t]).elements,
                       graph.tensor(there.inputs[t]).elements);
    }
    for (std::size_t t = 0; t < there.outputs.size(); ++t) {
      EXPECT_DOUBLE_EQ(plan.graph.tensor(here.outputs[t]).elements,
                       graph.tensor(there.outputs[t]).elements);
    }
  }
}

// Each operator's work over all shards of a stage is that of the model, except the gradient of a
// table and the updates of replicated weights.
TEST(GptOnManyDevices, ShardsOfEveryOperatorSumToTheWhole) {
  const std::map<std::string, double> whole = work_of(training(kSmall));
  for (const Strategy& strategy :
       {Strategy{.parallelism = Parallelism::kData, .data = 4},
        Strategy{.parallelism = Parallelism::kModel, .tensor_rows = 3, .data = 2},
        Strategy{.parallelism = Parallelism::kRowColumn, .tensor_rows = 2, .tensor_columns = 3},
        Strategy{.parallelism = Parallelism::kColumnRow, .tensor_rows = 3, .data = 2},
        Strategy{.parallelism = Parallelism::kData, .data = 2, .stages = 2}}) {
    const Plan plan = *spread(kSmall, strategy);
    const double shards = plan.mesh.shards_of_stage();
    for (const auto& [name, work] : work_of(plan.graph)) {
      if (whole.contains(name) && !name.ends_with("/update") && !name.starts_with("embedding/")) {
        EXPECT_NEAR(work * shards, whole.at(name), 1e-9 * whole.at(name)) << name;
      }
    }
  }
}

// Saved activations over all shards are those of one device: none is stored twice, except gathered
// ones.
TEST(GptOnManyDevices, SavedActivationsOfAttentionAreNotReplicated) {
  const auto saved = [](const Plan& plan) {
    double elements = 0.0;
    for (const Operator& op : plan.graph.operators) {
      if (op.kind == OperatorKind::kAttention && op.pass == Pass::kDataGradient) {
        for (const Id<model::Tensor> input : op.inputs) {
          elements += plan.graph.tensor(input).elements;
        }
      }
    }
    return elements * plan.mesh.shards_of_stage();
  };
  const double whole = saved(*spread(kSmall, {}));

  EXPECT_DOUBLE_EQ(saved(*spread(kSmall, {.data = 4})), whole);
  EXPECT_DOUBLE_EQ(saved(*spread(kSmall, {.parallelism = Parallelism::kModel, .tensor_rows = 3})),
                   whole);
  EXPECT_DOUBLE_EQ(
      saved(*spread(
          kSmall, {.parallelism = Parallelism::kRowColumn, .tensor_rows = 2, .tensor_columns = 3})),
      whole);
}

// Split by heads, attention reads its projections locally; a layer norm over split features
// all-reduces two numbers per row, forward and backward.
TEST(GptByModel, ExchangesSumsOfLayerNormsAndNothingForAttention) {
  const Plan plan = *spread(kSmall, {.parallelism = Parallelism::kModel, .tensor_rows = 3});

  const double rows = kBatch * 8.0;
  std::size_t sums = 0;
  for (const Exchange& exchange : plan.exchanges) {
    EXPECT_EQ(exchange.name.find("qkv"), std::string::npos) << exchange.name;
    if (exchange.elements == 2.0 * rows) {
      ++sums;
      EXPECT_EQ(exchange.op, comm::Op::kAllReduce);
    }
  }
  const std::size_t norms = 2U * kSmall.layers + 1U;
  EXPECT_EQ(sums, 2U * norms + 1U);  // and once for the probabilities
}

TEST(GptOnManyDevices, WithFewerHeadsThanShardsIsInfeasible) {
  const auto plan = spread(kSmall, {.parallelism = Parallelism::kModel, .tensor_rows = 8});

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "block0.attention: 6 heads < 8 tensor shards");
}

// The embedding would split the table's columns, the head its rows (the vocabulary).
TEST(GptOnManyDevices, WithATiedHeadCannotSplitTheTableInTwoWays) {
  Gpt tied = kSmall;
  tied.tied = true;

  EXPECT_TRUE(spread(tied, {.data = 4}).feasible());
  const auto plan = spread(tied, {.parallelism = Parallelism::kModel, .tensor_rows = 3});
  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail,
            "embedding shares embedding.weight with a layer that partitions it differently");
  EXPECT_FALSE(spread(tied, {.parallelism = Parallelism::kRowColumn, .tensor_rows = 2}).feasible());
  EXPECT_FALSE(spread(tied, {.parallelism = Parallelism::kTensor, .tensor_rows = 2}).feasible());
  EXPECT_FALSE(spread(tied, {.stages = 2}).feasible());
}

}  // namespace
}  // namespace cairn::plan
