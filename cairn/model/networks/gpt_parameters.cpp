// The parameters of a transformer language model, and which of them fit together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "cairn/model/networks/gpt.hpp"

namespace cairn::model {

namespace {

// Sizes of a GPT.
void add_sizes(Schema<Gpt>& schema) {
  schema.optional("layers", &Gpt::layers, "transformer blocks")
      .at_least(1)
      .optional("hidden", &Gpt::hidden, "hidden size")
      .whole()
      .at_least(1)
      .at_most(kWidest)
      .optional("heads", &Gpt::heads, "attention heads; must divide hidden, without head_dim")
      .at_least(1)
      .optional("vocab", &Gpt::vocab, "vocabulary size")
      .whole()
      .at_least(1)
      .at_most(kWidest)
      .optional("seq", &Gpt::seq, "sequence length in tokens")
      .at_least(1);
}

// Its layers.
void add_layers(Schema<Gpt>& schema) {
  schema.optional("tied", &Gpt::tied, "the output head shares the weight of the token embedding")
      .optional("scores",
                &Gpt::scores,
                "attention scores: never stored (FlashAttention, one kernel), or stored")
      .optional(
          "dropout", &Gpt::dropout, "dropout of stored scores and before every residual connection")
      .optional(
          "mlp", &Gpt::mlp, "MLP of a block: GELU, ReLU or its square, or gated (SwiGLU, GeGLU)")
      .optional(
          "intermediate", &Gpt::intermediate, "intermediate size of the MLP (0: four times hidden)")
      .whole()
      .not_negative()
      .at_most(kWidest)
      .optional("norm", &Gpt::norm, "normalization: layer norm, or RMS norm")
      .optional("positions",
                &Gpt::positions,
                "position embedding: learned, rotary (RoPE), or none (also ALiBi)")
      .optional(
          "kv_heads", &Gpt::kv_heads, "KV heads (GQA); must divide heads (0: as many as heads)")
      .optional("bias", &Gpt::bias, "fully connected layers of a block have a bias")
      .optional("loss",
                &Gpt::loss,
                "cross entropy: one kernel in training precision, or unfused in fp32");
}

// What other models change.
void add_variants(Schema<Gpt>& schema) {
  schema.optional("head_dim", &Gpt::head_dim, "head dimension (0: hidden / heads)")
      .whole()
      .not_negative()
      .at_most(kWidest)
      .optional("qkv_bias", &Gpt::qkv_bias, "projections to Q, K and V have a bias (as bias)")
      .optional("out_bias", &Gpt::out_bias, "output projection of attention has one (as bias)")
      .optional("mlp_bias", &Gpt::mlp_bias, "layers of the MLP have one (as bias)")
      .optional("norm_bias", &Gpt::norm_bias, "layer norms have a shift")
      .used_if([](const Gpt& gpt) { return gpt.norm == Norm::kLayer; }, "norm: layer")
      .optional("qk_norm", &Gpt::qk_norm, "norms of each head's query and key")
      .optional("embedding_norm", &Gpt::embedding_norm, "a norm after the embedding")
      .optional("block",
                &Gpt::block,
                "attention, then MLP; with norms before and after both; or side by side")
      .optional("window", &Gpt::window, "keys of a query in sliding attention (0: all is full)")
      .optional("window_layers",
                &Gpt::window_layers,
                "full or sliding attention of each layer, repeated (empty: all sliding)")
      .used_if([](const Gpt& gpt) { return gpt.window > 0; }, "window")
      .optional(
          "vocab_multiple", &Gpt::vocab_multiple, "the vocabulary is padded to a multiple of it")
      .whole()
      .at_least(1)
      .at_most(kWidest)
      .optional(
          "max_seq", &Gpt::max_seq, "largest sequence length, rows of learned positions (0: seq)");
}

// The first of `keys` that the user wrote, or the whole map.
[[noreturn]] void reject_first(const Config& config,
                               std::initializer_list<const char*> keys,
                               const std::string& problem) {
  for (const char* key : keys) {
    if (const Config* found = config.find(key)) {
      reject(*found, problem);
    }
  }
  reject(config, problem);
}

}  // namespace

const Schema<Gpt>& schema_of(const Gpt*) {
  static const auto kSchema = [] {
    Schema<Gpt> schema("gpt", "transformer decoder: GPT, Llama and others (Radford et al. 2019)");
    add_sizes(schema);
    add_layers(schema);
    add_variants(schema);
    return schema;
  }();
  return kSchema;
}

Gpt read_gpt(const Config& config) {
  const auto gpt = read_config<Gpt>(config);
  if (gpt.head_dim == 0.0 && std::fmod(gpt.hidden, gpt.heads) != 0.0) {
    reject_first(
        config,
        {"heads", "hidden"},
        fmt::format(
            "is invalid ({} attention heads do not divide hidden size {})", gpt.heads, gpt.hidden));
  }
  if (gpt.kv_heads != 0 && gpt.heads % gpt.kv_heads != 0) {
    reject_first(
        config,
        {"kv_heads"},
        fmt::format(
            "is invalid ({} KV heads do not divide {} attention heads)", gpt.kv_heads, gpt.heads));
  }
  if (gpt.max_seq != 0 && gpt.seq > gpt.max_seq) {
    reject_first(
        config,
        {"seq", "max_seq"},
        fmt::format("is invalid (sequences of {} tokens, the model has {} positions: max_seq)",
                    gpt.seq,
                    gpt.max_seq));
  }
  return gpt;
}

double Gpt::table_rows() const {
  return std::ceil(vocab / vocab_multiple) * vocab_multiple;
}

bool Gpt::is_sliding(std::uint32_t layer) const {
  return window > 0 && window < seq &&
         (window_layers.empty() || window_layers[layer % window_layers.size()] == Reach::kSliding);
}

double Gpt::sliding_layers() const {
  const auto period = static_cast<std::uint32_t>(std::max<std::size_t>(window_layers.size(), 1));
  const auto first = [&](std::uint32_t count) {  // of these layers
    double sliding = 0.0;
    for (std::uint32_t layer = 0; layer < count; ++layer) {
      sliding += is_sliding(layer) ? 1.0 : 0.0;
    }
    return sliding;
  };
  const std::uint32_t periods = layers / period;
  return periods * first(period) + first(layers % period);
}

}  // namespace cairn::model
