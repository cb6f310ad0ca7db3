#include "cairn/plan/background.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::plan {
namespace {

using model::Dlrm;
using model::Operator;
using model::Pass;
using model::TensorKind;

Plan plan_of(model::Tables tables, Parallelism parallelism) {
  const Dlrm dlrm{
      .tables = 12, .rows = 1000, .dim = 8, .lookups = 3, .dense = 16, .bottom = {32}, .top = {64}};
  const Strategy strategy{.parallelism = parallelism};
  return *parallelize(with_backward_pass(build(dlrm, 48.0, {}), {.tables = tables}),
                      strategy,
                      *make_mesh(strategy, 4));
}

struct Side {
  bool made = false;
  bool in_background = false;
};

// Within a step no tensor but weights is computed on one side and read on the other.
TEST(Background, ForegroundAndBackgroundDoNotWaitForEachOther) {
  for (const Parallelism parallelism : {Parallelism::kHybrid, Parallelism::kData}) {
    const Plan plan = plan_of(model::Tables::kBackground, parallelism);

    std::vector<Side> maker(plan.graph.tensors.size());
    int cross_step_reads = 0;
    const auto check = [&](const std::vector<Id<model::Tensor>>& reads,
                           const std::vector<Id<model::Tensor>>& writes,
                           bool in_background) {
      for (const Id<model::Tensor> tensor : reads) {
        const model::Tensor& read = plan.graph.tensor(tensor);
        const Side& side = maker[read.storage.index()];
        EXPECT_TRUE(!side.made || side.in_background == in_background ||
                    read.kind == TensorKind::kWeight)
            << read.name;
        cross_step_reads += read.name.ends_with(" of the step before") ? 1 : 0;
      }
      for (const Id<model::Tensor> tensor : writes) {
        maker[plan.graph.tensor(tensor).storage.index()] = {true, in_background};
      }
    };
    for (const Task& task : plan.tasks) {
      if (const auto* id = std::get_if<Id<Operator>>(&task)) {
        const Operator& op = plan.graph.operators[id->index()];
        EXPECT_EQ(op.background, op.lookups.has_value());
        check(op.inputs, op.outputs, op.background);
      } else {
        const Exchange& exchange = plan.exchanges[std::get<Id<Exchange>>(task).index()];
        check(exchange.from, exchange.to, exchange.background);
      }
    }
    // The looked-up rows and their gradient; data-parallel also the gathered row indices.
    EXPECT_EQ(plan.cross_step.size(), parallelism == Parallelism::kHybrid ? 2U : 3U);
    const auto exchanged = std::ranges::count_if(plan.exchanges, &Exchange::background);
    EXPECT_EQ(exchanged, parallelism == Parallelism::kHybrid ? 1 : 0);
    EXPECT_GE(cross_step_reads, 2);
    for (const CrossStepTensor& each : plan.cross_step) {
      const model::Tensor& made = plan.graph.tensor(each.made);
      EXPECT_EQ(plan.graph.tensor(each.read).name, made.name + " of the step before");
      EXPECT_DOUBLE_EQ(plan.graph.tensor(each.read).elements, made.elements);
    }
  }
}

// Exchanges and work are those of the sequential plan.
TEST(Background, ChangesOnlyDependencies) {
  const Plan sequential = plan_of(model::Tables::kSequential, Parallelism::kHybrid);
  const Plan plan = plan_of(model::Tables::kBackground, Parallelism::kHybrid);

  ASSERT_EQ(plan.exchanges.size(), sequential.exchanges.size());
  for (std::size_t i = 0; i < plan.exchanges.size(); ++i) {
    EXPECT_EQ(plan.exchanges[i].op, sequential.exchanges[i].op);
    EXPECT_DOUBLE_EQ(plan.exchanges[i].elements, sequential.exchanges[i].elements);
  }
  EXPECT_EQ(plan.tasks.size(), sequential.tasks.size());
  EXPECT_DOUBLE_EQ(macs_of(plan.graph), macs_of(sequential.graph));
}

}  // namespace
}  // namespace cairn::plan
