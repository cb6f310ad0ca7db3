#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/pipeline.hpp"

namespace cairn::plan {
namespace {

using model::Graph;
using model::Operator;
using model::Pass;
using model::Tensor;
using model::TensorKind;

RC_GTEST_PROP(PipelineOrderProperty, EveryMicroBatchOnceForwardThenOnceBackward, ()) {
  const auto stages = *rc::gen::inRange(1U, 9U);
  const auto stage = *rc::gen::inRange(0U, stages);
  const auto micro = *rc::gen::inRange(1U, 20U);
  const auto order =
      *rc::gen::element(PipelineOrder::kOneForwardOneBackward, PipelineOrder::kAllForwardFirst);

  std::int64_t forward = 0;
  std::int64_t backward = 0;
  std::int64_t most = 0;
  for (const std::int64_t work : pipeline_order(order, stage, stages, micro)) {
    if (work >= 0) {
      RC_ASSERT(work == forward++);
    } else {
      RC_ASSERT(-1 - work == backward++);
    }
    RC_ASSERT(backward <= forward);
    most = std::max(most, forward - backward);
  }
  RC_ASSERT(forward == micro);
  RC_ASSERT(backward == micro);
  // 1F1B saves activations of p - s micro-batches, GPipe those of all.
  const std::int64_t allowed = order == PipelineOrder::kAllForwardFirst
                                   ? micro
                                   : std::min<std::int64_t>(micro, stages - stage);
  RC_ASSERT(most == allowed);
}

Graph any_network() {
  const model::RecurrentNet recurrent{.hidden = 16, .steps = 3, .layers = 4};
  const model::ResNet residual{.blocks = {1, 1, 1, 1}, .affine = true};
  return with_backward_pass(*rc::gen::arbitrary<bool>() ? build(recurrent, 4.0, {})
                                                        : build(residual, 4.0, {}));
}

RC_GTEST_PROP(UnrollProperty, EveryMicroBatchAddsToTheSameGradients, ()) {
  const Graph graph = any_network();
  const auto stages = *rc::gen::inRange(1U, 5U);
  Strategy strategy{.stages = stages};
  strategy.micro_batches = *rc::gen::inRange(1U, 6U);
  strategy.pipeline =
      *rc::gen::element(PipelineOrder::kOneForwardOneBackward, PipelineOrder::kAllForwardFirst);

  const auto stage_of = *assign_stages(graph, strategy, stages);
  const Unrolled unrolled = unroll(graph, stage_of, strategy, stages);

  // By weight gradient (names are unique): writes; and MACs by stage.
  const auto count = [](const Graph& all, const std::vector<std::uint32_t>& of) {
    std::map<std::string, double> writes;
    std::map<std::uint32_t, double> macs;
    double updates = 0.0;
    for (std::size_t i = 0; i < all.operators.size(); ++i) {
      macs[of[i]] += all.operators[i].macs();
      updates += all.operators[i].pass == Pass::kUpdate ? 1.0 : 0.0;
      for (const Id<Tensor> output : all.operators[i].outputs) {
        if (all.tensor(output).kind == TensorKind::kWeightGradient) {
          writes[all.tensor(output).name] += 1.0;
        }
      }
    }
    return std::tuple(writes, macs, updates);
  };
  const auto [writes, macs, updates] = count(graph, stage_of);
  const auto [all_writes, all_macs, all_updates] = count(unrolled.graph, unrolled.stages);
  RC_ASSERT(all_updates == updates);
  RC_ASSERT(all_writes.size() == writes.size());
  for (const auto& [name, times] : writes) {
    RC_ASSERT(all_writes.at(name) == strategy.micro_batches * times);
  }
  for (const auto& [stage, work] : macs) {
    RC_ASSERT(std::abs(all_macs.at(stage) - strategy.micro_batches * work) <= 1e-9 * work);
  }
}

// Every input was written before or is external; all but the first writer of a gradient read it.
RC_GTEST_PROP(UnrollProperty, OperatorsAreInTopologicalOrder, ()) {
  const Graph graph = any_network();
  const auto stages = *rc::gen::inRange(1U, 5U);
  Strategy strategy{.stages = stages};
  strategy.micro_batches = *rc::gen::inRange(1U, 6U);

  const Graph all = unroll(graph, *assign_stages(graph, strategy, stages), strategy, stages).graph;

  std::vector<bool> ever(all.tensors.size(), false);
  for (const Operator& op : all.operators) {
    for (const Id<Tensor> output : op.outputs) {
      ever[output.index()] = true;
    }
  }
  std::vector<bool> made(all.tensors.size(), false);
  for (const Operator& op : all.operators) {
    for (const Id<Tensor> input : op.inputs) {
      const bool weight = all.tensor(input).kind == TensorKind::kWeight;
      RC_ASSERT(weight || made[input.index()] || !ever[input.index()]);
    }
    for (const Id<Tensor> output : op.outputs) {
      const bool gradient = all.tensor(output).kind == TensorKind::kWeightGradient;
      RC_ASSERT(!gradient || !made[output.index()] ||
                std::ranges::find(op.inputs, output) != op.inputs.end());
      made[output.index()] = true;
    }
  }
}

}  // namespace
}  // namespace cairn::plan
