#include "cairn/plan/assign_stages.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::plan {
namespace {

using model::Graph;
using model::Net;
using model::Operator;
using model::Pass;

constexpr double kBatch = 8.0;

// Fully connected layers of these widths, each with an activation.
Graph chain(const std::vector<double>& widths) {
  Net net("chain", kBatch);
  auto x = net.input("x", {.samples = kBatch, .channels = 16});
  for (std::size_t i = 0; i < widths.size(); ++i) {
    x = net.activation("relu" + std::to_string(i),
                       net.fully_connected("fc" + std::to_string(i), x, widths[i]));
  }
  return with_backward_pass(std::move(net).take());
}

// Forward work of each stage.
std::vector<double> work_of(const Graph& graph,
                            const std::vector<std::uint32_t>& stage_of,
                            std::uint32_t stages) {
  std::vector<double> work(stages, 0.0);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    if (graph.operators[i].pass == Pass::kForward) {
      work[stage_of[i]] += graph.operators[i].macs() + graph.operators[i].vector_ops;
    }
  }
  return work;
}

// The minimum work of the largest piece over all ways to cut `work` into `pieces` pieces.
double best_cut(std::span<const double> work, std::uint32_t pieces) {
  if (pieces == 1) {
    double sum = 0.0;
    for (const double one : work) {
      sum += one;
    }
    return sum;
  }
  double best = std::numeric_limits<double>::infinity();
  double first = 0.0;
  for (std::size_t cut = 1; cut + pieces - 1 <= work.size(); ++cut) {
    first += work[cut - 1];
    best = std::min(best, std::max(first, best_cut(work.subspan(cut), pieces - 1)));
  }
  return best;
}

RC_GTEST_PROP(AssignStagesProperty, LargestStageIsMinimalOverAllCuts, ()) {
  const auto widths = *rc::gen::container<std::vector<double>>(
      *rc::gen::inRange<std::size_t>(1, 9), rc::gen::element(8.0, 16.0, 48.0, 100.0, 256.0));
  const auto stages = *rc::gen::inRange(1U, static_cast<std::uint32_t>(widths.size()) + 1);
  const Graph graph = chain(widths);

  const std::vector<std::uint32_t> stage_of = *assign_stages(graph, {}, stages);

  std::vector<double> layers;
  for (const Operator& op : graph.operators) {
    if (op.pass == Pass::kForward) {
      if (op.contraction) {
        layers.push_back(0.0);
      }
      layers.back() += op.macs() + op.vector_ops;
    }
  }
  const std::vector<double> work = work_of(graph, stage_of, stages);
  const double best = best_cut(layers, stages);
  RC_ASSERT(std::ranges::min(work) > 0.0);
  RC_ASSERT(std::abs(std::ranges::max(work) - best) <= 1e-12 * best);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const auto& forward = graph.operators[i].forward;
    const bool together = !forward || stage_of[i] == stage_of[forward->index()];
    RC_ASSERT(together);
  }
}

TEST(AssignStages, CutsAtTheGivenLayers) {
  const Graph graph = chain({16, 16, 16, 16});

  const auto stage_of = *assign_stages(graph, {.cuts = {"fc1", "fc3"}}, 3);

  const std::vector<std::uint32_t> forward(stage_of.begin(), stage_of.begin() + 8);
  EXPECT_EQ(forward, (std::vector<std::uint32_t>{0, 0, 1, 1, 1, 1, 2, 2}));
}

TEST(AssignStages, InvalidCutsAreInfeasible) {
  const Graph graph = chain({16, 16, 16, 16});
  const std::vector<std::vector<std::string>> wrong{{"fc1"},
                                                    {"fc1", "fc2", "fc3"},
                                                    {"fc3", "fc1"},
                                                    {"fc1", "fc1"},
                                                    {"fc1", "conv"},
                                                    {"fc0", "fc1"},
                                                    {"fc1", "relu2"},
                                                    {"fc1", ""}};

  for (const auto& cuts : wrong) {
    const auto stages = assign_stages(graph, {.cuts = cuts}, 3);
    ASSERT_FALSE(stages.feasible()) << cuts.back();
    EXPECT_EQ(stages.reason().limit(), "cuts");
  }
  EXPECT_FALSE(assign_stages(graph, {.cuts = {"fc1"}}, 1).feasible());
}

TEST(AssignStages, MoreStagesThanLayersAreInfeasible) {
  const auto stages = assign_stages(chain({16, 16, 16}), {}, 4);

  ASSERT_FALSE(stages.feasible());
  EXPECT_EQ(stages.reason().detail,
            "chain has 3 layers, too few for 4 stages (use at most 3 stages)");
}

// Blocks of two layers each, and a layer after them.
Graph blocks_of_two(std::uint32_t blocks) {
  Net net("blocks", kBatch);
  auto x = net.input("x", {.samples = kBatch, .channels = 16});
  for (std::uint32_t b = 0; b < blocks; ++b) {
    net.begin_block();
    x = net.activation("narrow" + std::to_string(b),
                       net.fully_connected("up" + std::to_string(b), x, 32));
    x = net.fully_connected("down" + std::to_string(b), x, 16);
  }
  net.end_blocks();
  x = net.fully_connected("head", x, 64);
  return with_backward_pass(std::move(net).take());
}

TEST(AssignStages, CutsAtBlockBoundariesByDefault) {
  const Graph graph = blocks_of_two(3);

  const auto by_blocks = *assign_stages(graph, {}, 3);
  const auto by_layers = *assign_stages(graph, {.cut_at = CutAt::kLayers}, 3);

  // MACs and activations of a sample: 544 (up), 512 (down), 1024 (head). Blocks: 1056, 1056,
  // 1056 + 1024. Layers: 544 + 512 + 544, 512 + 544 + 512, 1024.
  EXPECT_EQ(work_of(graph, by_blocks, 3),
            (std::vector{kBatch * 1056, kBatch * 1056, kBatch * 2080}));
  EXPECT_EQ(std::ranges::max(work_of(graph, by_layers, 3)), kBatch * 1600);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool same_block =
          graph.operators[i].block > 0 && graph.operators[i].block == graph.operators[j].block;
      EXPECT_TRUE(!same_block || by_blocks[i] == by_blocks[j]) << graph.operators[i].name;
    }
  }
}

TEST(AssignStages, TooManyStagesForBlocksSuggestCutAtLayers) {
  const auto stages = assign_stages(blocks_of_two(3), {}, 5);

  ASSERT_FALSE(stages.feasible());
  EXPECT_EQ(stages.reason().detail,
            "blocks has 4 blocks and outer layers, too few for 5 stages (use at most 4 stages, or "
            "cut_at: layers)");
  EXPECT_TRUE(assign_stages(blocks_of_two(3), {.cut_at = CutAt::kLayers}, 5).feasible());
}

// All steps of an LSTM layer, and of the output layer, share their weights.
TEST(AssignStages, OperatorsThatShareAWeightStayTogether) {
  const model::LanguageModel network{.hidden = 64.0, .vocabulary = 256.0, .layers = 3, .steps = 5};
  const Graph graph = with_backward_pass(build(network, kBatch, {}));
  for (const std::uint32_t stages : {2U, 3U, 5U}) {
    const auto stage_of = *assign_stages(graph, {}, stages);

    std::vector<std::set<std::uint32_t>> of_weight(graph.tensors.size());
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const auto tensor : graph.operators[i].inputs) {
        if (graph.tensor(tensor).kind == model::TensorKind::kWeight) {
          of_weight[tensor.index()].insert(stage_of[i]);
        }
      }
    }
    for (const auto& used_in : of_weight) {
      EXPECT_LE(used_in.size(), 1U);
    }
    EXPECT_EQ(std::set(stage_of.begin(), stage_of.end()).size(), stages);
  }
  EXPECT_FALSE(assign_stages(graph, {}, 6).feasible());
}

// The gradients of the context are views of the gradients of the decoder layers' inputs; all are in
// the decoder's stage, and so is their sum.
TEST(AssignStages, GradientViewsAreAddedInTheirStage) {
  const model::Gnmt gnmt{.layers = 3, .hidden = 64.0, .vocab = 100.0, .steps = 4};
  const Graph graph = with_backward_pass(build(gnmt, kBatch, {}));

  const auto stage_of = *assign_stages(graph, {.cuts = {"decoder.embedding"}}, 2);

  int sums = 0;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const model::Operator& op = graph.operators[i];
    if (op.kind == model::OperatorKind::kAdd && op.name == "attention") {
      ++sums;
      EXPECT_EQ(stage_of[i], 1U);
    }
  }
  EXPECT_EQ(sums, 1);
}

TEST(AssignStages, ACutCanNameARecurrentLayer) {
  const model::LanguageModel network{.hidden = 64.0, .vocabulary = 256.0, .layers = 2, .steps = 3};
  const Graph graph = with_backward_pass(build(network, kBatch, {}));

  const auto stage_of = *assign_stages(graph, {.cuts = {"lstm1"}}, 2);

  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const std::string& name = graph.operators[i].name;
    if (name.starts_with("lstm0[")) {
      EXPECT_EQ(stage_of[i], 0U) << name;
    } else if (name.starts_with("lstm1[") || name == "words" || name == "softmax") {
      EXPECT_EQ(stage_of[i], 1U) << name;
    }
  }
}

// A weight shared by the first and the last layer: activations in between would flow backwards.
TEST(AssignStages, DataThatWouldFlowBackwardsIsInfeasible) {
  Net net("tied", kBatch);
  net.share_weights_by_name();
  auto x = net.input("x", {.samples = kBatch, .channels = 16});
  for (const char* name : {"tied", "between", "tied"}) {
    x = net.fully_connected(name, x, 16);
  }
  const Graph graph = with_backward_pass(std::move(net).take());

  const auto stages = assign_stages(graph, {}, 2);

  ASSERT_FALSE(stages.feasible());
  EXPECT_EQ(stages.reason().detail, "tied in stage 0 reads an output of stage 1");
}

}  // namespace
}  // namespace cairn::plan
