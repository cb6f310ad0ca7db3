#include "cairn/plan/unroll.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/plan/assign_stages.hpp"

namespace cairn::plan {
namespace {

using model::Graph;
using model::Operator;
using model::Pass;
using model::Tensor;
using model::TensorKind;

Graph any_network() {
  const model::RecurrentNet recurrent{.hidden = 16, .steps = 3, .layers = 4};
  const model::ResNet residual{.blocks = {1, 1, 1, 1}, .affine = true};
  return with_backward_pass(*rc::gen::arbitrary<bool>() ? build(recurrent, 4.0, {})
                                                        : build(residual, 4.0, {}));
}

Pipeline any_pipeline() {
  return {.order = *rc::gen::element(PipelineOrder::kOneForwardOneBackward,
                                     PipelineOrder::kAllForwardFirst),
          .stages = *rc::gen::inRange(1U, 4U),
          .per_stage = *rc::gen::inRange(1U, 3U)};
}

RC_GTEST_PROP(UnrollProperty, EveryMicroBatchAddsToTheSameGradients, ()) {
  const Graph graph = any_network();
  const Pipeline pipeline = any_pipeline();
  const std::uint32_t micro_batches = pipeline.stages * *rc::gen::inRange(1U, 4U);

  const auto cut = assign_stages(graph, {}, pipeline.virtual_stages());
  RC_PRE(cut.feasible());
  const std::vector<std::uint32_t>& virtual_stages = *cut;
  const Unrolled unrolled = unroll(graph, virtual_stages, pipeline, micro_batches);

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
  std::vector<std::uint32_t> stage_of;
  for (const std::uint32_t v : virtual_stages) {
    stage_of.push_back(pipeline.stage_of(v));
  }
  const auto [writes, macs, updates] = count(graph, stage_of);
  const auto [all_writes, all_macs, all_updates] = count(unrolled.graph, unrolled.stages);
  RC_ASSERT(all_updates == updates);
  RC_ASSERT(all_writes.size() == writes.size());
  for (const auto& [name, times] : writes) {
    RC_ASSERT(all_writes.at(name) == micro_batches * times);
  }
  for (const auto& [stage, work] : macs) {
    RC_ASSERT(std::abs(all_macs.at(stage) - micro_batches * work) <= 1e-9 * work);
  }
}

// Every input was written before or is external; all but the first writer of a gradient read it.
RC_GTEST_PROP(UnrollProperty, OperatorsAreInTopologicalOrder, ()) {
  const Graph graph = any_network();
  const Pipeline pipeline = any_pipeline();
  const std::uint32_t micro_batches = pipeline.stages * *rc::gen::inRange(1U, 4U);

  const auto cut = assign_stages(graph, {}, pipeline.virtual_stages());
  RC_PRE(cut.feasible());
  const std::vector<std::uint32_t>& virtual_stages = *cut;
  const Graph all = unroll(graph, virtual_stages, pipeline, micro_batches).graph;

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
