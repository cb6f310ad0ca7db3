// Parameters and flops of language models: published figures, and the counts of their graphs.
#include "cairn/model/networks/gpt_size.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn::model {
namespace {

Gpt llama(double hidden, std::uint32_t layers, std::uint32_t heads, double intermediate) {
  return {.layers = layers,
          .hidden = hidden,
          .heads = heads,
          .vocab = 128256.0,
          .seq = 8192,
          .mlp = Mlp::kGated,
          .intermediate = intermediate,
          .norm = Norm::kRms,
          .positions = Positions::kRotary,
          .kv_heads = 8,
          .bias = false};
}

Gpt with_vocab(Gpt gpt, double vocab, std::uint32_t seq) {
  gpt.vocab = vocab;
  gpt.seq = seq;
  return gpt;
}

Gpt gpt_3(double hidden, std::uint32_t layers, std::uint32_t heads) {
  return {.layers = layers,
          .hidden = hidden,
          .heads = heads,
          .vocab = 51200.0,
          .seq = 2048,
          .tied = true};
}

// Small models that differ from a GPT in one option each, and in several.
std::vector<std::pair<std::string, Gpt>> small_models() {
  const Gpt gpt{.layers = 3, .hidden = 48.0, .heads = 4, .vocab = 101.0, .seq = 16};
  std::vector<std::pair<std::string, Gpt>> models{{"plain", gpt}};
  const auto add = [&](const char* what, auto change) {
    change(models.emplace_back(what, gpt).second);
  };
  add("tied", [](Gpt& m) { m.tied = true; });
  add("SwiGLU", [](Gpt& m) { m.mlp = Mlp::kGated; });
  add("GeGLU", [](Gpt& m) { m.mlp = Mlp::kGatedGelu; });
  add("ReLU", [](Gpt& m) { m.mlp = Mlp::kRelu; });
  add("squared ReLU", [](Gpt& m) { m.mlp = Mlp::kSquaredRelu; });
  add("RMS", [](Gpt& m) { m.norm = Norm::kRms; });
  add("no shift", [](Gpt& m) { m.norm_bias = false; });
  add("rotary", [](Gpt& m) { m.positions = Positions::kRotary; });
  add("no positions", [](Gpt& m) { m.positions = Positions::kNone; });
  add("longer table of positions", [](Gpt& m) { m.max_seq = 64; });
  add("KV heads", [](Gpt& m) { m.kv_heads = 2; });
  add("no bias", [](Gpt& m) { m.bias = false; });
  add("biases of Q, K and V", [](Gpt& m) { m.bias = false, m.qkv_bias = true; });
  add("bias of the projection", [](Gpt& m) { m.bias = false, m.out_bias = true; });
  add("biases of the MLP", [](Gpt& m) { m.bias = false, m.mlp_bias = true; });
  add("wide heads", [](Gpt& m) { m.head_dim = 20.0; });
  add("norms of Q and K", [](Gpt& m) { m.qk_norm = true; });
  add("norm of the embedding", [](Gpt& m) { m.embedding_norm = true; });
  add("sandwich", [](Gpt& m) { m.block = Block::kSandwich; });
  add("parallel", [](Gpt& m) { m.block = Block::kParallel; });
  add("parallel, one norm", [](Gpt& m) { m.block = Block::kParallelOneNorm; });
  add("padded vocabulary", [](Gpt& m) { m.vocab_multiple = 64.0; });
  add("window", [](Gpt& m) { m.window = 5; });
  add("window longer than the sequence", [](Gpt& m) { m.window = 17; });
  add("windows in turn", [](Gpt& m) {
    m.window = 5;
    m.window_layers = {Reach::kSliding, Reach::kFull};
  });
  add("many options", [](Gpt& m) {
    m = {.layers = 7,
         .hidden = 40.0,
         .heads = 6,
         .vocab = 300.0,
         .seq = 32,
         .tied = true,
         .mlp = Mlp::kGatedGelu,
         .intermediate = 56.0,
         .norm = Norm::kRms,
         .positions = Positions::kRotary,
         .kv_heads = 3,
         .bias = false,
         .head_dim = 12.0,
         .qkv_bias = true,
         .qk_norm = true,
         .block = Block::kSandwich,
         .window = 8,
         .window_layers = {Reach::kSliding, Reach::kSliding, Reach::kFull},
         .vocab_multiple = 128.0};
  });
  return models;
}

// Flops are printed with two decimals at most, in Gflop per token.
constexpr double kRounding = 0.5e-4;

struct Check {
  const char* name;
  Gpt gpt;
  double parameters;
  double giga_flops;
  double giga_flops_not_causal;
};

Gpt qwen() {
  Gpt gpt = with_vocab(llama(8192.0, 80, 64, 29568.0), 152064.0, 4096);
  gpt.qkv_bias = true;
  return gpt;
}

Gpt llama_2_7b() {
  Gpt gpt = with_vocab(llama(4096.0, 32, 32, 11008.0), 32000.0, 4096);
  gpt.kv_heads = 0;
  return gpt;
}

// Parameters are those of the published weights; flops 6 (L (h (a + 2g) d + a d h + G h F + core) +
// h V), core = s a d, or 2 s a d if not causal.
TEST(GptSize, IsThatOfPublishedModels) {
  const std::vector<Check> checks{
      {"GPT-3 175B", gpt_3(12288.0, 96, 96), 174615846912.0, 1061.95, 1076.44},
      {"Megatron 1T", gpt_3(25600.0, 128, 160), 1008038758400.0, 6087.93, 6128.19},
      {"Llama-2 7B", llama_2_7b(), 6738415616.0, 42.864, 46.085},
      {"Llama-2 70B",
       with_vocab(llama(8192.0, 80, 64, 28672.0), 32000.0, 4096),
       68976648192.0,
       428.39,
       444.49},
      {"Llama-3.1 8B", llama(4096.0, 32, 32, 14336.0), 8030261248.0, 51.470, 57.913},
      {"Llama-3.1 70B", llama(8192.0, 80, 64, 28672.0), 70553706496.0, 449.22, 481.43},
      {"Llama-3.1 405B", llama(16384.0, 126, 128, 53248.0), 405853388800.0, 2523.96, 2625.42},
      {"Qwen2.5-72B", qwen(), 72706203648.0, 444.86, 460.96}};
  for (const Check& check : checks) {
    SCOPED_TRACE(check.name);
    const ModelSize size = size_of(check.gpt);

    EXPECT_DOUBLE_EQ(size.parameters(), check.parameters);
    EXPECT_DOUBLE_EQ(size.active_parameters(), check.parameters);
    EXPECT_NEAR(size.flops_per_token() / 1e9 / check.giga_flops, 1.0, kRounding);
    EXPECT_NEAR(
        size.flops_per_token_not_causal() / 1e9 / check.giga_flops_not_causal, 1.0, kRounding);
  }
}

// 2 flops per multiply-accumulate, and twice the forward pass for the gradients.
TEST(GptSize, IsThatOfTheGraph) {
  for (const auto& [name, gpt] : small_models()) {
    SCOPED_TRACE(name);
    constexpr double kSamples = 3.0;
    const Counts counts = count(build(gpt, kSamples, {}));
    const ModelSize size = size_of(gpt);

    EXPECT_DOUBLE_EQ(size.parameters(), counts.parameters);
    EXPECT_DOUBLE_EQ(size.flops_per_token(), 6.0 * counts.macs / (kSamples * gpt.seq));
  }
}

// Only the scores differ, and there are twice as many.
TEST(GptSize, CausalAttentionTakesHalfTheScores) {
  for (const auto& [name, gpt] : small_models()) {
    SCOPED_TRACE(name);
    for (const LayerSize& layer : size_of(gpt).layers) {
      const double factor = layer.part.ends_with("scores") ? 2.0 : 1.0;
      EXPECT_DOUBLE_EQ(layer.flops_per_token_not_causal, factor * layer.flops_per_token);
    }
  }
}

// A query attends to the last 5 of 16 tokens: 5 x 16 - 5^2 / 2 pairs, as the triangle at the
// beginning is half empty. Each takes two products of 64 features.
TEST(GptSize, AWindowCountsItsKeys) {
  Gpt gpt{.layers = 1, .hidden = 64.0, .heads = 8, .vocab = 100.0, .seq = 16};
  gpt.window = 5;
  const ModelSize size = size_of(gpt);

  EXPECT_EQ(size.layers[3].part, "sliding scores");
  EXPECT_DOUBLE_EQ(size.layers[3].flops_per_token, 6.0 * 2.0 * 64.0 * (5.0 * 16.0 - 12.5) / 16.0);
}

}  // namespace
}  // namespace cairn::model
