// A GPT, spread: attention by samples or heads, layer norms by rows, and what cannot be cut.
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

// Along axes that are not said, one.
Feasible<Plan> spread(const Gpt& gpt, Strategy strategy) {
  for (std::uint32_t* size :
       {&strategy.kernel1, &strategy.kernel2, &strategy.data, &strategy.stages}) {
    *size = std::max(*size, 1U);
  }
  const std::uint32_t devices =
      strategy.kernel1 * strategy.kernel2 * strategy.data * strategy.stages;
  return parallelize(training(gpt), strategy, *make_mesh(strategy, devices));
}

// Multiply-accumulates and operations on elements, of each operator by name and pass.
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

// Each operator's work, over all shards of a stage, is that of the model. By rows, a table's
// gradient and an update of what every row has are done by each.
TEST(GptOnManyDevices, ShardsOfEveryOperatorSumToTheWhole) {
  const std::map<std::string, double> whole = work_of(training(kSmall));
  for (const Strategy& strategy :
       {Strategy{.parallelism = Parallelism::kData, .data = 4},
        Strategy{.parallelism = Parallelism::kModel, .kernel1 = 3, .data = 2},
        Strategy{.parallelism = Parallelism::kRowColumn, .kernel1 = 2, .kernel2 = 3},
        Strategy{.parallelism = Parallelism::kColumnRow, .kernel1 = 3, .data = 2},
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

// What is kept of feature maps, over all shards, is what one device would keep: nothing is there
// twice, apart from what was gathered.
TEST(GptOnManyDevices, MapsThatAttentionKeepsAreNowhereTwice) {
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
  EXPECT_DOUBLE_EQ(saved(*spread(kSmall, {.parallelism = Parallelism::kModel, .kernel1 = 3})),
                   whole);
  EXPECT_DOUBLE_EQ(
      saved(*spread(kSmall, {.parallelism = Parallelism::kRowColumn, .kernel1 = 2, .kernel2 = 3})),
      whole);
}

// Cut by heads, attention reads what its projection made where it is; a layer norm over spread
// features sums two numbers per row, forward and backward.
TEST(GptByModel, ExchangesSumsOfLayerNormsAndNothingForAttention) {
  const Plan plan = *spread(kSmall, {.parallelism = Parallelism::kModel, .kernel1 = 3});

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
  const auto plan = spread(kSmall, {.parallelism = Parallelism::kModel, .kernel1 = 8});

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "block0.attention: 6 heads < 8 tensor shards");
}

// A table's rows are words, and its columns are cut; a layer's columns would be the words.
TEST(GptOnManyDevices, ThatSharesATableWithItsHeadCannotCutItInTwoWays) {
  Gpt tied = kSmall;
  tied.tied = true;

  EXPECT_TRUE(spread(tied, {.data = 4}).feasible());
  const auto plan = spread(tied, {.parallelism = Parallelism::kModel, .kernel1 = 3});
  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail,
            "embedding shares embedding.weight with a layer that cuts it in another way");
  EXPECT_FALSE(spread(tied, {.parallelism = Parallelism::kRowColumn, .kernel1 = 2}).feasible());
  EXPECT_FALSE(spread(tied, {.parallelism = Parallelism::kTensor, .kernel1 = 2}).feasible());
  EXPECT_FALSE(spread(tied, {.stages = 2}).feasible());
}

}  // namespace
}  // namespace cairn::plan
