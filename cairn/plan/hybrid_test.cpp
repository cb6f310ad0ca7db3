// Embedding tables model-parallel, all else data-parallel: exchanges and their order.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {
namespace {

using comm::Op;
using model::Dlrm;
using model::Graph;
using model::Operator;
using model::OperatorKind;
using model::Pass;
using model::TensorKind;

constexpr double kBatch = 48.0;
constexpr double kTables = 12.0;
constexpr double kDim = 8.0;
constexpr double kLookups = 3.0;
constexpr std::uint32_t kShards = 4;

Graph training() {
  const Dlrm dlrm{.tables = kTables,
                  .rows = 1000,
                  .dim = kDim,
                  .lookups = kLookups,
                  .dense = 16,
                  .bottom = {32},
                  .top = {64}};
  return with_backward_pass(build(dlrm, kBatch, {}));
}

Feasible<Plan> spread(const Graph& graph,
                      std::uint32_t shards,
                      std::uint32_t replicas = 1,
                      Parallelism parallelism = Parallelism::kHybrid) {
  const Strategy strategy{.parallelism = parallelism, .tensor_rows = shards, .data = replicas};
  return parallelize(graph, strategy, *make_mesh(strategy, shards * replicas));
}

// Positions of steps in the plan.
struct Positions {
  std::map<std::string, std::size_t> op{};  // "name/pass", the last of it
  std::vector<std::size_t> all_to_all{};
};

Positions positions_of(const Plan& plan) {
  Positions found;
  for (std::size_t s = 0; s < plan.tasks.size(); ++s) {
    if (const auto* id = std::get_if<Id<Operator>>(&plan.tasks[s])) {
      const Operator& op = plan.graph.operators[id->index()];
      found.op[op.name + "/" + std::string(to_text(op.pass))] = s;
    } else if (plan.exchanges[std::get<Id<Exchange>>(plan.tasks[s]).index()].op == Op::kAllToAll) {
      found.all_to_all.push_back(s);
    }
  }
  return found;
}

// Each device has looked up its tables for all samples and gets all tables for its own: as many
// numbers, of which 1 / shards stay where they are (comm's all-to-all sends the rest). The same for
// their gradients.
TEST(Hybrid, ExchangesLookedUpRowsAndTheirGradients) {
  const Plan plan = *spread(training(), kShards);

  int forward = 0;
  int backward = 0;
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.op == Op::kAllToAll) {
      EXPECT_EQ(exchange.axes, Axes(Axis::kTensor));
      EXPECT_DOUBLE_EQ(exchange.elements, kBatch / kShards * kTables * kDim);
      EXPECT_FALSE(exchange.blocking);
      ++(exchange.backward ? backward : forward);
    }
  }
  EXPECT_EQ(forward, 1);
  EXPECT_EQ(backward, 1);
}

// Every device counts as having ceil(tables / shards) tables.
TEST(Hybrid, DeviceWithMostTablesSetsThePace) {
  const auto with_tables = [](double tables) {
    const Dlrm dlrm{.tables = tables, .rows = 1000, .dim = kDim, .lookups = kLookups};
    return *spread(with_backward_pass(build(dlrm, kBatch, {})), kShards);
  };
  const auto of_tables = [](const Plan& plan) {
    std::vector<Operator> found;
    std::ranges::copy_if(plan.graph.operators, std::back_inserter(found), [](const Operator& op) {
      return op.lookups.has_value();
    });
    return found;
  };
  const Plan even = with_tables(16.0);
  const Plan odd = with_tables(13.0);
  const std::vector<Operator> expected = of_tables(even);
  const std::vector<Operator> found = of_tables(odd);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].lookups->tables, 4.0);
    EXPECT_DOUBLE_EQ(found[i].vector_ops, expected[i].vector_ops);
    for (std::size_t t = 0; t < found[i].inputs.size(); ++t) {
      EXPECT_DOUBLE_EQ(odd.graph.tensor(found[i].inputs[t]).elements,
                       even.graph.tensor(expected[i].inputs[t]).elements);
    }
  }
  for (const Exchange& exchange : odd.exchanges) {
    if (exchange.op == Op::kAllToAll) {
      EXPECT_DOUBLE_EQ(exchange.elements, kBatch * 4.0 * kDim);  // of which it sends 3/4
    }
  }
}

// Layers' gradients are all-reduced once, tables' never.
TEST(Hybrid, AllReducesGradientsOfLayersOnly) {
  const Graph graph = training();
  const Plan plan = *spread(graph, kShards, 2);

  double expected = 0.0;
  for (const model::Tensor& tensor : graph.tensors) {
    expected += tensor.kind == TensorKind::kWeightGradient ? tensor.elements : 0.0;
  }
  double summed = 0.0;
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.op == Op::kAllReduce) {
      EXPECT_EQ(plan.mesh.group_size(exchange.axes), 2 * kShards);
      summed += exchange.elements;
    }
  }
  EXPECT_DOUBLE_EQ(summed, expected);
}

// All-to-alls overlap with the bottom layers, forward and backward; tables are updated last.
TEST(Hybrid, ExchangesStartAsEarlyAsPossible) {
  const Plan plan = *spread(training(), kShards);
  const Positions at = positions_of(plan);

  ASSERT_EQ(at.all_to_all.size(), 2U);
  EXPECT_EQ(at.all_to_all[0], at.op.at("tables/forward") + 1);
  EXPECT_LT(at.all_to_all[0], at.op.at("bottom0/forward"));
  EXPECT_EQ(at.all_to_all[1], at.op.at("vectors/data gradient") + 1);
  EXPECT_LT(at.all_to_all[1], at.op.at("bottom1/data gradient"));
  EXPECT_LT(at.op.at("bottom0/weight gradient"), at.op.at("tables/update"));
}

// A device's share: its tables for all samples, and layers for its own.
TEST(Hybrid, ADeviceHasSomeTablesAndSomeSamples) {
  const Graph graph = training();
  const Plan plan = *spread(graph, kShards);

  for (const Operator& op : plan.graph.operators) {
    if (op.lookups) {
      EXPECT_DOUBLE_EQ(op.lookups->tables, kTables / kShards);
      EXPECT_DOUBLE_EQ(op.lookups->pooled, kLookups);
      const bool forward = op.pass == Pass::kForward;
      const auto elements = [&](std::size_t i) { return plan.graph.tensor(op.inputs[i]).elements; };
      const double sums = forward ? plan.graph.tensor(op.outputs.front()).elements : elements(0);
      EXPECT_DOUBLE_EQ(sums, kBatch * kTables / kShards * kDim);
      EXPECT_DOUBLE_EQ(elements(forward ? 0 : 1), kBatch * kTables / kShards * kLookups);
      EXPECT_DOUBLE_EQ(elements(forward ? 1 : 2), kTables / kShards * 1000.0 * kDim);
      EXPECT_DOUBLE_EQ(op.vector_ops, (forward ? 1.0 : 2.0) * sums * kLookups);
    }
  }
  EXPECT_NEAR(macs_of(plan.graph) * kShards, macs_of(graph), 1e-9 * macs_of(graph));
}

// Replicas of the tables need the gradients of each other's samples, not of whole tables.
TEST(Hybrid, ReplicasOfTablesGatherGradientsAndRows) {
  const std::uint32_t replicas = 2;
  const Plan plan = *spread(training(), kShards, replicas);

  double gathered = 0.0;
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.op == Op::kAllGather) {
      EXPECT_EQ(exchange.axes, Axes(Axis::kData));
      gathered += exchange.elements;
    }
  }
  // Row indices have 8 bytes, four times the training precision.
  EXPECT_DOUBLE_EQ(gathered, kBatch * kTables / kShards * (kDim + 4.0 * kLookups));
}

TEST(Hybrid, DataParallelTablesGatherTheGradientsOfAllSamples) {
  const Plan plan = *spread(training(), 1, kShards, Parallelism::kData);

  double gathered = 0.0;
  for (const Exchange& exchange : plan.exchanges) {
    EXPECT_NE(exchange.op, Op::kAllToAll);
    gathered += exchange.op == Op::kAllGather ? exchange.elements : 0.0;
  }
  EXPECT_DOUBLE_EQ(gathered, kBatch * kTables * (kDim + 4.0 * kLookups));
}

TEST(Hybrid, FewerTablesThanShardsAreInfeasible) {
  const auto plan = spread(training(), 16);

  ASSERT_FALSE(plan.feasible());
  EXPECT_EQ(plan.reason().detail, "tables: 12 tables < 16 shards");
}

TEST(Hybrid, ABatchPerDeviceIsThatOfEachShard) {
  const Strategy strategy{
      .parallelism = Parallelism::kHybrid, .data = 2, .batch = 512, .batch_per = BatchPer::kDevice};

  EXPECT_DOUBLE_EQ(total_batch(strategy, 16), 16 * 512.0);
  EXPECT_EQ(make_mesh(strategy, 16)->size(Axis::kTensor), 8U);
}

// Each micro-batch looks up and updates rows of its own; updates wait until all are done.
TEST(Hybrid, EveryMicroBatchUpdatesItsRows) {
  const Strategy strategy{
      .parallelism = Parallelism::kHybrid, .tensor_rows = kShards, .data = 1, .micro_batches = 3};
  const Plan plan = *parallelize(training(), strategy, *make_mesh(strategy, kShards));

  std::size_t updates = 0;
  std::size_t first = plan.graph.operators.size();
  std::size_t last_backward = 0;
  for (std::size_t i = 0; i < plan.graph.operators.size(); ++i) {
    const Operator& op = plan.graph.operators[i];
    if (op.pass == Pass::kUpdate) {
      first = std::min(first, i);
      updates += op.lookups ? 1U : 0U;
    } else {
      last_backward = i;
    }
  }
  EXPECT_EQ(updates, 3U);
  EXPECT_LT(last_backward, first);
}

// The gradient of a token embedding is all-reduced over replicas as any other.
TEST(Hybrid, TokenEmbeddingsAreSplitByColumns) {
  const model::LanguageModel network{.hidden = 64.0, .vocabulary = 256.0, .layers = 1, .steps = 2};
  const Graph graph = with_backward_pass(build(network, kBatch, {}));
  const Plan plan = *spread(graph, kShards);

  int exchanged = 0;
  for (const Exchange& exchange : plan.exchanges) {
    if (exchange.op == Op::kAllToAll) {
      ++exchanged;
      EXPECT_DOUBLE_EQ(exchange.elements, kBatch / kShards * 64.0);
    }
    for (const Id<model::Tensor> tensor : exchange.from) {
      EXPECT_NE(plan.graph.tensor(tensor).name, "dembedding.weight");
    }
  }
  EXPECT_EQ(exchanged, 2 * 2);  // forward and backward, of each step
}

}  // namespace
}  // namespace cairn::plan
