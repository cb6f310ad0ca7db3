// ZeRO stage 1 (Rajbhandari et al. 2020).
#include "cairn/plan/sharded_updates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::plan {
namespace {

using comm::Op;
using model::Operator;
using model::Pass;

constexpr double kReplicas = 4.0;
const Bytes kAll(1e12);

Plan spread(std::uint32_t zero, std::uint32_t tensor = 1, bool fp32_gradients = false) {
  const Strategy strategy{.parallelism = Parallelism::kTensor,
                          .tensor_rows = tensor,
                          .data = 4,
                          .bucket = kAll,
                          .zero = zero};
  return *parallelize(
      with_backward_pass(
          build(model::Gpt{.layers = 2, .hidden = 48, .heads = 6, .vocab = 96, .seq = 8}, 8.0, {}),
          {.optimizer = model::Optimizer::kAdam,
           .master_weights = true,
           .fp32_gradients = fp32_gradients}),
      strategy,
      Mesh{{Axis::kTensor, tensor}, {Axis::kData, 4}});
}

// Elements on one device, over all updates.
struct Updates {
  double ops = 0.0;
  double states = 0.0;
  double weights = 0.0;
};

Updates updates_of(const Plan& plan) {
  Updates sum;
  for (const Operator& op : plan.graph.operators) {
    if (op.pass == Pass::kUpdate) {
      sum.ops += op.vector_ops;
      sum.weights += plan.graph.tensor(op.outputs.front()).elements;
      for (std::size_t i = 1; i < op.outputs.size(); ++i) {
        sum.states += plan.graph.tensor(op.outputs[i]).elements;
      }
    }
  }
  return sum;
}

double exchanged(const Plan& plan, Op op) {
  double elements = 0.0;
  for (const Exchange& exchange : plan.exchanges) {
    elements += exchange.op == op && exchange.axes == Axes(Axis::kData) ? exchange.elements : 0.0;
  }
  return elements;
}

// Section 5.1 of the paper: optimizer states and update work are divided by the replicas.
TEST(ShardedUpdates, DivideStatesAndWorkByTheReplicas) {
  for (const std::uint32_t tensor : {1U, 2U}) {
    const Updates whole = updates_of(spread(0, tensor));
    const Updates part = updates_of(spread(1, tensor));

    EXPECT_NEAR(part.ops * kReplicas, whole.ops, 1e-9 * whole.ops);
    EXPECT_NEAR(part.states * kReplicas, whole.states, 1e-9 * whole.states);
    EXPECT_NEAR(part.weights * kReplicas, whole.weights, 1e-9 * whole.weights);
  }
}

// Section 7.1: gradients are reduce-scattered and weights all-gathered, together the traffic of an
// all-reduce.
TEST(ShardedUpdates, ReduceScatterGradientsAndAllGatherWeights) {
  const Plan plan = spread(1);
  const double weights = updates_of(spread(0)).weights;

  EXPECT_DOUBLE_EQ(exchanged(plan, Op::kReduceScatter), weights);
  EXPECT_DOUBLE_EQ(exchanged(plan, Op::kAllGather), weights);
  EXPECT_DOUBLE_EQ(exchanged(plan, Op::kAllReduce), 0.0);
  EXPECT_DOUBLE_EQ(exchanged(spread(0), Op::kAllReduce), weights);
}

// Gradients have twice the bytes; weights stay in the training precision.
TEST(ShardedUpdates, ReduceScatterTwiceTheBytesOfFp32Gradients) {
  const Plan plan = spread(1, 1, true);
  const double weights = updates_of(spread(0)).weights;

  EXPECT_DOUBLE_EQ(exchanged(plan, Op::kReduceScatter), 2.0 * weights);
  EXPECT_DOUBLE_EQ(exchanged(plan, Op::kAllGather), weights);
}

// One all-gather after the last update.
TEST(ShardedUpdates, EndWithAllWeightsOnEachReplica) {
  const Plan plan = spread(1);
  ASSERT_TRUE(std::holds_alternative<Id<Exchange>>(plan.tasks.back()));
  const Exchange& last = plan.exchanges[std::get<Id<Exchange>>(plan.tasks.back()).index()];

  EXPECT_EQ(last.op, Op::kAllGather);
  for (const Operator& op : plan.graph.operators) {
    if (op.pass == Pass::kForward && op.weight) {
      EXPECT_NE(std::ranges::find(last.to, *op.weight), last.to.end()) << op.name;
    }
  }
}

// In a DLRM with partitioned tables, all devices are replicas of the layers, along k1 and d.
TEST(ShardedUpdates, CoverAllReplicasOfAWeight) {
  const model::Graph graph = with_backward_pass(build(
      model::Dlrm{.tables = 8, .rows = 100, .dim = 8, .dense = 16, .bottom = {32}, .top = {64}},
      48.0,
      {}));
  const auto hybrid = [&](std::uint32_t zero, std::uint32_t shards, std::uint32_t replicas) {
    const Strategy strategy{.parallelism = Parallelism::kHybrid,
                            .tensor_rows = shards,
                            .data = replicas,
                            .bucket = kAll,
                            .zero = zero};
    return *parallelize(graph, strategy, Mesh{{Axis::kTensor, shards}, {Axis::kData, replicas}});
  };
  const auto dense = [](const Plan& plan) {
    double ops = 0.0;
    for (const Operator& op : plan.graph.operators) {
      ops += op.pass == Pass::kUpdate && !op.lookups ? op.vector_ops : 0.0;
    }
    return ops;
  };
  for (const auto& [shards, replicas] : {std::pair(4U, 1U), std::pair(4U, 2U)}) {
    const Plan whole = hybrid(0, shards, replicas);
    const Plan part = hybrid(1, shards, replicas);
    const auto sums = [](const Plan& plan, Op op) {
      double elements = 0.0;
      for (const Exchange& exchange : plan.exchanges) {
        elements += exchange.op == op ? exchange.elements : 0.0;
      }
      return elements;
    };

    EXPECT_NEAR(dense(part) * shards * replicas, dense(whole), 1e-9 * dense(whole));
    EXPECT_GT(sums(whole, Op::kAllReduce), 0.0);
    EXPECT_DOUBLE_EQ(sums(part, Op::kAllReduce), 0.0);
    EXPECT_DOUBLE_EQ(sums(part, Op::kReduceScatter), sums(whole, Op::kAllReduce));
    // Replicas of a table gather each other's gradients anyway.
    EXPECT_DOUBLE_EQ(sums(part, Op::kAllGather),
                     sums(whole, Op::kAllGather) + sums(whole, Op::kAllReduce));
  }
}

// A gradient that is reduced at every step cannot be scattered.
TEST(ShardedUpdates, AreInfeasibleWithReductionsAtEveryStep) {
  const model::Graph graph =
      with_backward_pass(build(model::RecurrentNet{.hidden = 32, .steps = 4}, 8.0, {}));
  const auto spread_by = [&](RecurrentSync sync) {
    return parallelize(graph,
                       {.data = 4, .zero = 1, .assumptions = {.recurrent_sync = sync}},
                       Mesh{{Axis::kData, 4}});
  };

  EXPECT_TRUE(spread_by(RecurrentSync::kOnce));
  const auto refused = spread_by(RecurrentSync::kEveryStep);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.reason().limit(), "zero");
  EXPECT_NE(refused.reason().detail.find("recurrent_sync: once"), std::string::npos);
}

// A separate kernel reads dW and the sum, and writes the sum.
TEST(Accumulation, InItsOwnKernelAddsOneKernelPerGradient) {
  const auto graph = with_backward_pass(
      build(model::Gemm{.columns = 30.0, .inner = 20.0}, 10.0, {}), {.fp32_gradients = true});
  const Plan plan =
      *parallelize(graph, {.data = 1, .accumulation = Accumulation::kOwnKernel}, Mesh{});
  int adds = 0;
  double moved = 0.0;
  for (const Operator& op : plan.graph.operators) {
    if (op.kind == model::OperatorKind::kAdd && op.pass == Pass::kWeightGradient) {
      ++adds;
      for (const auto* tensors : {&op.inputs, &op.outputs}) {
        for (const Id<model::Tensor> tensor : *tensors) {
          moved += model::bytes_of(plan.graph.tensor(tensor), Bytes(2.0)).si();
        }
      }
    }
  }

  EXPECT_EQ(adds, 1);
  EXPECT_DOUBLE_EQ(moved, (2.0 + 4.0 + 4.0) * 30.0 * 20.0);
}

}  // namespace
}  // namespace cairn::plan
