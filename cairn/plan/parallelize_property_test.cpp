// Properties of every network and strategy.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/model/test_support/any_gpt.hpp"
#include "cairn/plan/plan.hpp"
#include "cairn/plan/test_support/strategies.hpp"

namespace cairn::plan {
namespace {

using model::Graph;
using model::Net;
using model::Operator;

double macs(const Graph& graph) {
  double sum = 0.0;
  for (const Operator& op : graph.operators) {
    sum += op.macs();
  }
  return sum;
}

// Sizes that every strategy of up to three shards along each axis divides: 36 samples, and channels
// in multiples of 72.
Graph divisible(std::uint32_t which) {
  const double batch = 36.0 * 6;
  if (which == 0) {
    return build(
        model::RecurrentNet{.cell = model::Cell::kLstm, .hidden = 72, .steps = 2, .layers = 3},
        batch,
        {});
  }
  if (which == 1) {
    return build(
        model::LanguageModel{.hidden = 72, .vocabulary = 144, .layers = 2, .steps = 3}, batch, {});
  }
  if (which == 2) {
    return build(
        model::Gpt{.layers = 3, .hidden = 72, .heads = 6, .vocab = 144, .seq = 4}, batch, {});
  }
  if (which == 3) {
    return build(model::Gpt{.layers = 3,
                            .hidden = 72,
                            .heads = 6,
                            .vocab = 144,
                            .seq = 4,
                            .mlp = model::Mlp::kGated,
                            .intermediate = 144,
                            .norm = model::Norm::kRms,
                            .positions = model::Positions::kRotary,
                            .bias = false},
                 batch,
                 {});
  }
  if (which == 4) {
    return build(model::Gnmt{.layers = 3, .hidden = 72, .vocab = 144, .steps = 2}, batch, {});
  }
  Net net("convolutions", batch);
  auto x = net.input("x", {.samples = batch, .channels = 72, .height = 4, .width = 4});
  for (const char* name : {"conv1", "conv2"}) {
    x = net.activation("relu", net.convolution(name, x, {.channels = 72, .kernel = 3, .pad = 1}));
  }
  x = net.normalization("norm", x, true);
  net.softmax("softmax", net.fully_connected("fc", net.global_average("average", x), 72));
  return std::move(net).take();
}

// All shards together do the work of the model once.
RC_GTEST_PROP(ParallelizeProperty, ShardsTogetherDoTheWorkOfTheModel, ()) {
  const Graph graph = with_backward_pass(divisible(*rc::gen::inRange(0U, 6U)));
  const Strategy strategy = any_strategy();
  const Mesh mesh = *make_mesh(strategy, devices_of(strategy));

  const auto planned = parallelize(graph, strategy, mesh);
  RC_PRE(planned.feasible());
  const Plan& plan = *planned;

  const double all = macs(plan.graph) * mesh.shards_of_stage();
  const double expected = macs(graph) * strategy.micro_batches;
  RC_ASSERT(std::abs(all - expected) <= 1e-9 * expected);
}

// Each shard's part of every weight gradient is reduced once, for any number of micro-batches.
RC_GTEST_PROP(ParallelizeProperty, WeightGradientsAreReducedOncePerStep, ()) {
  const Graph graph = with_backward_pass(divisible(*rc::gen::inRange(0U, 6U)));
  Strategy strategy = any_strategy();
  strategy.assumptions.recurrent_sync = RecurrentSync::kOnce;
  RC_PRE(strategy.parallelism != Parallelism::kOneWeirdTrick);
  const Mesh mesh = *make_mesh(strategy, devices_of(strategy));

  const auto planned = parallelize(graph, strategy, mesh);
  RC_PRE(planned.feasible());
  const Plan& plan = *planned;

  // Along k1 too, except tables, which are split by columns.
  const bool hybrid = strategy.parallelism == Parallelism::kHybrid;
  double summed = 0.0;
  for (const Exchange& exchange : plan.exchanges) {
    for (const Id<model::Tensor> tensor : exchange.from) {
      const bool over_samples =
          exchange.axes.has(Axis::kData) || (hybrid && exchange.axes.has(Axis::kTensor));
      if (plan.graph.tensor(tensor).kind == model::TensorKind::kWeightGradient && over_samples) {
        RC_ASSERT(exchange.op == comm::Op::kAllReduce);
        summed += plan.graph.tensor(tensor).elements;
      }
    }
  }
  double weights = 0.0;
  if (strategy.parallelism == Parallelism::kTensor) {
    for (const model::Operator& op : plan.graph.operators) {
      weights +=
          op.pass == model::Pass::kUpdate ? plan.graph.tensor(op.outputs.front()).elements : 0.0;
    }
  }
  for (const model::Operator& op : graph.operators) {
    if (op.pass == model::Pass::kUpdate && hybrid) {
      const double elements = graph.tensor(op.inputs.front()).elements;
      const bool table = op.name.ends_with("embedding.weight");
      weights += table ? (mesh.size(Axis::kData) > 1 ? elements / strategy.tensor_rows : 0.0)
                 : mesh.shards_of_stage() > 1 ? elements
                                              : 0.0;
    } else if (op.pass == model::Pass::kUpdate && strategy.parallelism != Parallelism::kTensor) {
      const double rows =
          strategy.parallelism == Parallelism::kRowColumn ? strategy.tensor_rows : 1.0;
      // Along rows, gradients of tables, norms, biases and position embeddings are not split.
      const std::string& name = op.name;
      const bool whole = name.ends_with("embedding.weight") || name == "places.weight" ||
                         name.ends_with(".bias") || name.find("norm") != std::string::npos;
      const double columns = strategy.parallelism == Parallelism::kRowColumn
                                 ? strategy.tensor_columns
                             : strategy.parallelism == Parallelism::kData ? 1.0
                                                                          : strategy.tensor_rows;
      // Additive scores sum over all channels and are replicated.
      const bool everywhere = name == "attention.scores.weight";
      weights += graph.tensor(op.inputs.front()).elements /
                 (everywhere ? 1.0 : columns * (whole ? 1.0 : rows));
    }
  }
  const double expected = hybrid || mesh.size(Axis::kData) > 1 ? weights : 0.0;
  RC_ASSERT(std::abs(summed - expected) <= 1e-9 * weights);
}

Graph any_network() {
  const int which = *rc::gen::inRange(0, 9);
  const auto batch = static_cast<double>(*rc::gen::inRange(8, 100));
  switch (which) {
    case 0:
      return build(model::AlexNet{.grouped = *rc::gen::arbitrary<bool>()}, batch, {});
    case 1:
      return build(model::GoogLeNet{}, batch, {});
    case 2:
      return build(model::ResNet{.projections = *rc::gen::arbitrary<bool>(),
                                 .affine = *rc::gen::arbitrary<bool>()},
                   batch,
                   {});
    case 3:
      return build(
          model::RecurrentNet{.cell = model::Cell::kGru, .hidden = 64, .steps = 5, .layers = 2},
          batch,
          {});
    case 5:
      return build(model::any_gpt(), batch, {});
    case 7:
      return build(model::Dlrm{.tables = 9,
                               .rows = 100,
                               .dim = 8,
                               .lookups = 3,
                               .dense = 13,
                               .bottom = {32},
                               .top = {64}},
                   batch,
                   {});
    case 6:
      return build(model::Gnmt{.layers = 3, .hidden = 64, .vocab = 100, .steps = 4}, batch, {});
    case 4:
      return build(model::VideoNet{.frames = 3}, batch, {});
    default:
      return build(model::Vgg{}, batch, {});
  }
}

// Every input of a step was computed before (by storage) or is external.
RC_GTEST_PROP(ParallelizeProperty, StepsAreInTopologicalOrder, ()) {
  const Graph graph = with_backward_pass(any_network());
  const Strategy strategy = any_strategy();
  const Mesh mesh = *make_mesh(strategy, devices_of(strategy));
  const auto spread_out = parallelize(graph, strategy, mesh);
  RC_PRE(spread_out.feasible());
  const Plan& plan = *spread_out;

  std::vector<bool> made_somewhere(plan.graph.tensors.size(), false);
  const auto reads = [&](const Task& task) {
    return std::holds_alternative<Id<Exchange>>(task)
               ? plan.exchanges[std::get<Id<Exchange>>(task).index()].from
               : plan.graph.operators[std::get<Id<Operator>>(task).index()].inputs;
  };
  const auto writes = [&](const Task& task) {
    return std::holds_alternative<Id<Exchange>>(task)
               ? plan.exchanges[std::get<Id<Exchange>>(task).index()].to
               : plan.graph.operators[std::get<Id<Operator>>(task).index()].outputs;
  };
  const auto storage = [&](Id<model::Tensor> tensor) {
    return plan.graph.tensor(tensor).storage.index();
  };
  for (const Task& task : plan.tasks) {
    for (const Id<model::Tensor> tensor : writes(task)) {
      made_somewhere[storage(tensor)] = true;
    }
  }
  std::vector<bool> made(plan.graph.tensors.size(), false);
  for (const Task& task : plan.tasks) {
    for (const Id<model::Tensor> tensor : reads(task)) {
      const bool weight = plan.graph.tensor(tensor).kind == model::TensorKind::kWeight;
      RC_ASSERT(weight || made[storage(tensor)] || !made_somewhere[storage(tensor)]);
    }
    for (const Id<model::Tensor> tensor : writes(task)) {
      made[storage(tensor)] = true;
    }
  }
}

}  // namespace
}  // namespace cairn::plan
