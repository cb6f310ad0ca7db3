// Published configurations, cut to the keys that matter: the parameters are those of the published
// weights.
#include "cairn/model/hugging_face.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cairn/model/networks/gpt_size.hpp"
#include "cairn/model/parse.hpp"

namespace cairn::model {
namespace {

using testing::HasSubstr;

Gpt read(const std::string& text) {
  return language_model(model_source(parse_config(text, "config.json"), Folders{}));
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

struct Published {
  const char* name;
  const char* config;
  double parameters;
};

constexpr const char* kLlama = R"({
  "architectures": ["LlamaForCausalLM"], "attention_bias": false, "bos_token_id": 128000,
  "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02,
  "intermediate_size": 14336, "max_position_embeddings": 131072, "model_type": "llama",
  "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
  "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "rope_type": "llama3"},
  "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 128256})";

constexpr const char* kGpt2 =
    R"({"model_type": "gpt2", "activation_function": "gelu_new", "n_ctx": 1024, "n_embd": 768,
           "n_head": 12, "n_inner": null, "n_layer": 12, "n_positions": 1024,
           "vocab_size": 50257})";

constexpr std::array kPublished{
    Published{"Llama-3.1-8B", kLlama, 8030261248.0},
    Published{"Mistral-7B",
              R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
           "hidden_act": "silu", "max_position_embeddings": 32768, "num_attention_heads": 32,
           "num_hidden_layers": 32, "num_key_value_heads": 8, "sliding_window": 4096,
           "tie_word_embeddings": false, "vocab_size": 32000})",
              7241732096.0},
    Published{"Phi-3-mini",
              R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192,
           "hidden_act": "silu", "max_position_embeddings": 4096, "num_attention_heads": 32,
           "num_hidden_layers": 32, "num_key_value_heads": 32, "sliding_window": 2047,
           "tie_word_embeddings": false, "vocab_size": 32064})",
              3821079552.0},
    Published{"Qwen2-0.5B",
              R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864,
           "hidden_act": "silu", "max_position_embeddings": 131072, "max_window_layers": 24,
           "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2,
           "sliding_window": 131072, "tie_word_embeddings": true, "use_sliding_window": false,
           "vocab_size": 151936})",
              494032768.0},
    Published{
        "Qwen3-8B",
        R"({"model_type": "qwen3", "attention_bias": false, "head_dim": 128, "hidden_act": "silu",
           "hidden_size": 4096, "intermediate_size": 12288, "max_position_embeddings": 40960,
           "num_attention_heads": 32, "num_hidden_layers": 36, "num_key_value_heads": 8,
           "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 151936})",
        8190735360.0},
    Published{
        "Qwen3-0.6B",
        R"({"model_type": "qwen3", "attention_bias": false, "head_dim": 128, "hidden_act": "silu",
           "hidden_size": 1024, "intermediate_size": 3072, "max_position_embeddings": 40960,
           "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 8,
           "tie_word_embeddings": true, "vocab_size": 151936})",
        596049920.0},
    Published{"Gemma-7B",
              R"({"model_type": "gemma", "head_dim": 256, "hidden_act": "gelu", "hidden_size": 3072,
           "intermediate_size": 24576, "max_position_embeddings": 8192, "num_attention_heads": 16,
           "num_hidden_layers": 28, "num_key_value_heads": 16, "vocab_size": 256000})",
              8537680896.0},
    Published{"Gemma-2-2B",
              R"({"model_type": "gemma2", "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh",
           "hidden_act": "gelu_pytorch_tanh", "hidden_size": 2304, "intermediate_size": 9216,
           "max_position_embeddings": 8192, "num_attention_heads": 8, "num_hidden_layers": 26,
           "num_key_value_heads": 4, "sliding_window": 4096, "vocab_size": 256000})",
              2614341888.0},
    Published{
        "Gemma-3-1B",
        R"({"model_type": "gemma3_text", "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh",
           "hidden_size": 1152, "intermediate_size": 6912, "max_position_embeddings": 32768,
           "num_attention_heads": 4, "num_hidden_layers": 26, "num_key_value_heads": 1,
           "sliding_window": 512, "sliding_window_pattern": 6, "vocab_size": 262144})",
        999885952.0},
    Published{
        "StarCoder2-3B",
        R"({"model_type": "starcoder2", "hidden_act": "gelu_pytorch_tanh", "hidden_size": 3072,
           "intermediate_size": 12288, "max_position_embeddings": 16384, "num_attention_heads": 24,
           "num_hidden_layers": 30, "num_key_value_heads": 2, "sliding_window": 4096,
           "use_bias": true, "vocab_size": 49152})",
        3030371328.0},
    Published{"GPT-2", kGpt2, 124439808.0},
    Published{"OPT-125M",
              R"({"model_type": "opt", "activation_function": "relu", "do_layer_norm_before": true,
           "ffn_dim": 3072, "hidden_size": 768, "max_position_embeddings": 2048,
           "num_attention_heads": 12, "num_hidden_layers": 12, "vocab_size": 50272,
           "word_embed_proj_dim": 768, "dropout": 0.1})",
              125239296.0},
    Published{"BLOOM-560M",
              R"({"model_type": "bloom", "n_embed": 1024, "n_layer": 24, "num_attention_heads": 16,
           "vocab_size": 250880, "seq_length": 2048})",
              559214592.0},
    Published{"GPT-NeoX-20B",
              R"({"model_type": "gpt_neox", "hidden_act": "gelu_fast", "hidden_size": 6144,
           "intermediate_size": 24576, "max_position_embeddings": 2048, "num_attention_heads": 64,
           "num_hidden_layers": 44, "tie_word_embeddings": false, "vocab_size": 50432})",
              20554567680.0},
    Published{"MPT-7B",
              R"({"model_type": "mpt", "d_model": 4096, "n_heads": 32, "n_layers": 32,
           "expansion_ratio": 4, "max_seq_len": 2048, "no_bias": true, "learned_pos_emb": true,
           "attn_config": {"alibi": true, "attn_type": "multihead_attention", "qk_ln": false},
           "vocab_size": 50432})",
              6649286656.0},
    Published{"Falcon-7B",
              R"({"model_type": "falcon", "alibi": false, "bias": false, "hidden_size": 4544,
           "multi_query": true, "new_decoder_architecture": false, "num_attention_heads": 71,
           "num_hidden_layers": 32, "parallel_attn": true, "vocab_size": 65024})",
              6921720704.0}};

TEST(HuggingFace, HasTheParametersOfPublishedWeights) {
  for (const Published& model : kPublished) {
    SCOPED_TRACE(model.name);
    EXPECT_DOUBLE_EQ(size_of(read(model.config)).parameters(), model.parameters);
  }
}

// The graph of each: all shapes chain.
TEST(HuggingFace, BuildsEveryModel) {
  for (const Published& model : kPublished) {
    SCOPED_TRACE(model.name);
    const auto graph =
        build_model(model_source(parse_config(model.config, "config.json"), Folders{}), 1.0);
    EXPECT_DOUBLE_EQ(count(*graph).parameters, model.parameters);
  }
}

// h (a + 2g) d + a d h + 2 h F per block, norms of 2 h: the 341 billion of Nemotron-4 340B.
TEST(HuggingFace, NemotronHasSquaredReluWithoutGates) {
  const Gpt gpt = read(R"({"model_type": "nemotron", "hidden_act": "relu2", "head_dim": 192,
      "hidden_size": 18432, "intermediate_size": 73728, "max_position_embeddings": 4096,
      "num_attention_heads": 96, "num_hidden_layers": 96, "num_key_value_heads": 8,
      "vocab_size": 256000})");
  const double h = 18432.0;
  const double block = h * (96.0 + 16.0) * 192.0 + 96.0 * 192.0 * h + 2.0 * h * 73728.0 + 4.0 * h;

  EXPECT_EQ(gpt.mlp, Mlp::kSquaredRelu);
  EXPECT_DOUBLE_EQ(size_of(gpt).parameters(), 96.0 * block + 2.0 * 256000.0 * h + 2.0 * h);
}

TEST(HuggingFace, SequencesAreTheLargestUpTo8192) {
  EXPECT_EQ(read(kLlama).seq, 8192U);
  EXPECT_EQ(read(kLlama).max_seq, 131072U);
  EXPECT_EQ(read(kGpt2).seq, 1024U);
}

TEST(HuggingFace, ASequenceBesideItsKeysIsRead) {
  std::string text = kLlama;
  text.replace(text.find('{'), 1, "{\"seq\": 4096,");

  EXPECT_EQ(read(text).seq, 4096U);
}

TEST(HuggingFace, WindowsAreOfTheLayersNamed) {
  const auto windows = [](const std::string& more) {
    const Gpt gpt = read(R"({"hidden_size": 64, "intermediate_size": 128, "head_dim": 16,
        "max_position_embeddings": 4096, "num_attention_heads": 4, "num_hidden_layers": 6,
        "vocab_size": 100, "sliding_window": 512, )" +
                         more + "}");
    std::string layers;
    for (std::uint32_t i = 0; i < gpt.layers; ++i) {
      layers += gpt.is_sliding(i) ? 's' : 'f';
    }
    return layers;
  };

  EXPECT_EQ(windows(R"("model_type": "mistral")"), "ssssss");
  EXPECT_EQ(windows(R"("model_type": "llama")"), "ffffff");
  EXPECT_EQ(windows(R"("model_type": "gemma2")"), "sfsfsf");
  EXPECT_EQ(windows(R"("model_type": "gemma3_text")"), "sssssf");
  EXPECT_EQ(windows(R"("model_type": "gemma3_text", "sliding_window_pattern": 3)"), "ssfssf");
  EXPECT_EQ(windows(R"("model_type": "qwen2", "max_window_layers": 4)"), "ffffff");
  EXPECT_EQ(windows(R"("model_type": "qwen2", "use_sliding_window": true, "max_window_layers": 4)"),
            "ffffss");
  EXPECT_EQ(windows(R"("model_type": "gemma3_text", "layer_types": ["full_attention",
      "sliding_attention", "full_attention", "full_attention", "full_attention",
      "full_attention"])"),
            "fsffff");
  EXPECT_EQ(windows(R"("model_type": "mistral", "layer_types": ["full_attention",
      "full_attention", "full_attention", "full_attention", "full_attention",
      "full_attention"])"),
            "ffffff");
}

TEST(HuggingFace, BlocksSideBySideHaveTheNormsOfTheirKind) {
  const auto block = [](const std::string& more) {
    return read(R"({"hidden_size": 64, "intermediate_size": 256, "max_position_embeddings": 128,
        "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 100, )" +
                more + "}")
        .block;
  };

  EXPECT_EQ(block(R"("model_type": "gpt_neox")"), Block::kParallel);
  EXPECT_EQ(block(R"("model_type": "gpt_neox", "use_parallel_residual": false)"),
            Block::kSequential);
  EXPECT_EQ(block(R"("model_type": "falcon")"), Block::kParallelOneNorm);
  EXPECT_EQ(block(R"("model_type": "falcon", "parallel_attn": false)"), Block::kSequential);
  EXPECT_EQ(block(R"("model_type": "falcon", "new_decoder_architecture": true)"), Block::kParallel);
}

TEST(HuggingFace, ReadsTheTextOfAModelThatReadsMore) {
  const std::string text = std::string(R"({"model_type": "llava", "vision_config": {},
      "text_config": )") + kLlama +
                           "}";

  EXPECT_DOUBLE_EQ(size_of(read(text)).parameters(), 8030261248.0);
}

TEST(HuggingFace, NamesAMissingKey) {
  std::string text = kLlama;
  text.replace(text.find("\"hidden_size\""), 13, "\"hidden\"");
  EXPECT_THAT(complaint(text), HasSubstr("hidden_size: is missing (needed by model_type llama)"));
  EXPECT_THAT(complaint(R"({"model_type": "llava", "text_config": {"hidden_size": 64}})"),
              HasSubstr("text_config.model_type: is missing"));
}

// Its default is not the hidden size over the heads.
TEST(HuggingFace, GemmaAndQwen3NeedAHeadDimension) {
  for (const char* type : {"gemma", "gemma2", "gemma3_text", "qwen3"}) {
    std::string text = kLlama;
    text.replace(text.find("llama\""), 5, type);
    EXPECT_THAT(complaint(text), HasSubstr("head_dim: is missing")) << type;
  }
}

TEST(HuggingFace, NamesTheKeyOfABadValue) {
  std::string text = kLlama;
  text.replace(text.find("14336"), 5, "-1");
  EXPECT_THAT(complaint(text), HasSubstr("config.json:4: intermediate_size: \"-1\""));
  text = kLlama;
  text.replace(text.find("silu"), 4, "tanh");
  EXPECT_THAT(complaint(text),
              HasSubstr("config.json:3: hidden_act: \"tanh\" is not a modelled activation"));
  text = kLlama;
  text.replace(text.find("\"num_attention_heads\": 32"), 25, "\"num_attention_heads\": 30");
  EXPECT_THAT(
      complaint(text),
      HasSubstr("num_attention_heads: \"30\" is invalid (30 attention heads do not divide"));
}

TEST(HuggingFace, RefusesOtherTypes) {
  EXPECT_THAT(complaint(R"({"model_type": "lama"})"),
              HasSubstr("model_type: \"lama\" is not a known type of model (did you mean "
                        "\"llama\"?)"));
  EXPECT_THAT(complaint(R"({"model_type": "mixtral"})"),
              HasSubstr("\"mixtral\" is not modelled (experts are not modelled yet)"));
  EXPECT_THAT(complaint(R"({"model_type": "nemotron_h"})"), HasSubstr("not modelled yet"));
}

}  // namespace
}  // namespace cairn::model
