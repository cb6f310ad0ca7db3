// The layers of a transformer block, by the options of its description.
#include "cairn/model/networks/gpt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/base/must_have.hpp"
#include "cairn/model/backward.hpp"

namespace cairn::model {
namespace {

using testing::HasSubstr;

constexpr double kBatch = 3.0;

Gpt small() {
  return {.layers = 1, .hidden = 48.0, .heads = 4, .vocab = 100.0, .seq = 16};
}

double operators(const Gpt& gpt, OperatorKind kind) {
  const Graph graph = build(gpt, kBatch, {});
  return static_cast<double>(std::ranges::count(graph.operators, kind, &Operator::kind));
}

const Operator& named(const Graph& graph, std::string_view name) {
  const auto found = std::ranges::find(graph.operators, name, &Operator::name);
  if (found == graph.operators.end()) {
    throw Bug("no such operator");
  }
  return *found;
}

std::string complaint(const std::string& text) {
  try {
    read_gpt(parse_config(text, "model.yaml"));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Besides the last norm.
TEST(GptBlock, HasTheNormsOfItsKind) {
  Gpt gpt = small();
  const auto norms = [&](Block block) {
    gpt.block = block;
    return operators(gpt, OperatorKind::kNormalization) - 1.0;
  };

  EXPECT_DOUBLE_EQ(norms(Block::kSequential), 2.0);
  EXPECT_DOUBLE_EQ(norms(Block::kSandwich), 4.0);
  EXPECT_DOUBLE_EQ(norms(Block::kParallel), 2.0);
  EXPECT_DOUBLE_EQ(norms(Block::kParallelOneNorm), 1.0);
}

TEST(GptBlock, SideBySideTheMlpDoesNotReadAttention) {
  Gpt gpt = small();
  gpt.block = Block::kParallelOneNorm;
  const Graph graph = build(gpt, kBatch, {});

  EXPECT_EQ(named(graph, "block0.qkv").inputs.front(), named(graph, "block0.up").inputs.front());
}

// Each head's row of d features is normalized by itself, by d weights for all heads.
TEST(GptBlock, NormsOfQueriesAndKeysAreByHead) {
  Gpt gpt = small();
  gpt.kv_heads = 2;
  gpt.norm = Norm::kRms;
  gpt.qk_norm = true;
  const Graph graph = build(gpt, kBatch, {});
  const double d = 48.0 / 4.0;
  const double tokens = kBatch * 16.0;

  for (const auto& [name, heads] : {std::pair("block0.attention.turned_q_norm", 4.0),
                                    {"block0.attention.turned_k_norm", 2.0}}) {
    const Operator& norm = named(graph, name);
    EXPECT_DOUBLE_EQ(graph.tensor(must_have(norm.weight, "its weight")).elements, d);
    EXPECT_DOUBLE_EQ(norm.rows_summed, heads * tokens);
    EXPECT_TRUE(norm.rows_of_heads);
  }
}

TEST(GptBlock, WideHeadsWidenAttentionOnly) {
  Gpt gpt = small();
  gpt.head_dim = 20.0;
  const Graph graph = build(gpt, kBatch, {});
  const auto gemm = [&](const char* name) {
    return must_have(named(graph, name).contraction, "its GEMM");
  };

  EXPECT_DOUBLE_EQ(gemm("block0.qkv").n, 3.0 * 4.0 * 20.0);
  EXPECT_DOUBLE_EQ(must_have(named(graph, "block0.attention").attention, "attention").width, 20.0);
  EXPECT_DOUBLE_EQ(gemm("block0.out").k, 4.0 * 20.0);
  EXPECT_DOUBLE_EQ(gemm("block0.out").n, 48.0);
}

// Pairs of W keys per query but for the triangle at the beginning, in both passes.
TEST(GptBlock, SlidingAttentionIsOfTheLayersNamed) {
  Gpt gpt = small();
  gpt.layers = 4;
  gpt.window = 4;
  gpt.window_layers = {Reach::kSliding, Reach::kFull};
  const Graph graph = with_backward_pass(build(gpt, kBatch, {}));

  for (const Operator& op : graph.operators) {
    if (op.attention) {
      const bool sliding =
          op.block % 2 == 1 || op.name.starts_with("block0") || op.name.starts_with("block2");
      const double pairs = sliding ? 4.0 * 16.0 - 4.0 * 4.0 / 2.0 : 16.0 * 16.0 / 2.0;
      const double products = op.pass == Pass::kForward ? 2.0 : 5.0;
      EXPECT_DOUBLE_EQ(op.macs(), products * kBatch * 48.0 * pairs) << op.name;
    }
  }
}

TEST(GptBlock, AWindowAsLongAsTheSequenceIsFullAttention) {
  Gpt gpt = small();
  const double full = count(build(gpt, kBatch, {})).macs;
  gpt.window = 16;

  EXPECT_DOUBLE_EQ(count(build(gpt, kBatch, {})).macs, full);
}

TEST(GptBlock, StoredScoresHaveNoWindow) {
  Gpt gpt = small();
  gpt.scores = Scores::kStored;
  EXPECT_NO_THROW(build(gpt, kBatch, {}));

  gpt.window = 4;
  EXPECT_THROW(build(gpt, kBatch, {}), ShapeError);
}

TEST(GptParameters, MustFitTogether) {
  EXPECT_THAT(complaint("{hidden: 100, heads: 3}"),
              HasSubstr("model.yaml:1: heads: \"3\" is invalid (3 attention heads do not divide "
                        "hidden size 100)"));
  EXPECT_EQ(complaint("{hidden: 100, heads: 3, head_dim: 32}"), "");
  EXPECT_THAT(
      complaint("{heads: 12, kv_heads: 5}"),
      HasSubstr("kv_heads: \"5\" is invalid (5 KV heads do not divide 12 attention heads)"));
  EXPECT_THAT(complaint("{seq: 4096, max_seq: 2048}"),
              HasSubstr("seq: \"4096\" is invalid (sequences of 4096 tokens, the model has 2048"));
}

TEST(GptParameters, WithoutEffectAreRefused) {
  EXPECT_THAT(complaint("{norm: rms, norm_bias: false}"), HasSubstr("norm_bias: has no effect"));
  EXPECT_THAT(complaint("{window_layers: [full]}"), HasSubstr("window_layers: has no effect"));
}

}  // namespace
}  // namespace cairn::model
