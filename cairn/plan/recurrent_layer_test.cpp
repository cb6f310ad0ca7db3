// Partitioning a recurrent layer whose steps are one operator.
#include <gtest/gtest.h>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/plan.hpp"

namespace cairn::plan {
namespace {

constexpr double kBatch = 24.0;

model::Graph layer_at_once() {
  const model::RecurrentNet network{.cell = model::Cell::kLstm, .hidden = 48.0, .steps = 5};
  return with_backward_pass(
      build(network, kBatch, {.recurrent = model::RecurrentKernels::kByLayer}));
}

Feasible<Plan> spread(Parallelism parallelism) {
  Strategy strategy{.parallelism = parallelism, .batch = kBatch};
  (parallelism == Parallelism::kData ? strategy.data : strategy.tensor_rows) = 4;
  return parallelize(layer_at_once(), strategy, *make_mesh(strategy, 4));
}

TEST(RecurrentLayerAtOnce, IsSplitBySamples) {
  const auto plan = spread(Parallelism::kData);
  ASSERT_TRUE(plan);
  EXPECT_DOUBLE_EQ(4.0 * macs_of(plan->graph), macs_of(layer_at_once()));
  double sent = 0.0;
  for (const Exchange& exchange : plan->exchanges) {
    sent += exchange.elements;
  }
  EXPECT_DOUBLE_EQ(sent, count(layer_at_once()).parameters);  // their gradients, nothing else
}

TEST(RecurrentLayerAtOnce, CannotBeSplitOtherwise) {
  for (const Parallelism parallelism : {Parallelism::kModel, Parallelism::kColumnRow}) {
    const auto plan = spread(parallelism);
    ASSERT_FALSE(plan);
    EXPECT_NE(plan.reason().detail.find("recurrent_kernels: by_step"), std::string::npos);
  }
}

}  // namespace
}  // namespace cairn::plan
