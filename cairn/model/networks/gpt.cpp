#include <fmt/format.h>

#include <cmath>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Gpt>& schema_of(const Gpt*) {
  static const auto kSchema =
      Schema<Gpt>("gpt", "transformer decoder: GPT, Llama (Radford et al. 2019)")
          .optional("layers", &Gpt::layers, "transformer blocks")
          .at_least(1)
          .optional("hidden", &Gpt::hidden, "hidden size")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("heads", &Gpt::heads, "attention heads; must divide hidden")
          .at_least(1)
          .optional("vocab", &Gpt::vocab, "vocabulary size")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("seq", &Gpt::seq, "sequence length in tokens")
          .at_least(1)
          .optional("tied", &Gpt::tied, "the output head shares the weight of the token embedding")
          .optional("scores",
                    &Gpt::scores,
                    "attention scores: never stored (FlashAttention, one kernel), or stored")
          .optional("dropout",
                    &Gpt::dropout,
                    "dropout of stored scores and before every residual connection")
          .optional("mlp", &Gpt::mlp, "MLP of a block: GELU, or gated (SwiGLU)")
          .optional("intermediate",
                    &Gpt::intermediate,
                    "intermediate size of the MLP (0: four times hidden)")
          .whole()
          .not_negative()
          .at_most(kWidest)
          .optional("norm", &Gpt::norm, "normalization: layer norm, or RMS norm")
          .optional("positions", &Gpt::positions, "position embedding: learned, or rotary (RoPE)")
          .optional(
              "kv_heads", &Gpt::kv_heads, "KV heads (GQA); must divide heads (0: as many as heads)")
          .optional("bias", &Gpt::bias, "fully connected layers of a block have a bias")
          .optional("loss",
                    &Gpt::loss,
                    "cross entropy: one kernel in training precision, or unfused in fp32");
  return kSchema;
}

namespace {

Value norm(Net& net, const std::string& name, const Value& x, const Gpt& gpt) {
  return gpt.norm == Norm::kRms ? net.rms_norm(name, x) : net.layer_norm(name, x);
}

// `qkv`: the concatenated projections to Q, K and V.
Value attention(Net& net, const std::string& name, const Value& qkv, const Gpt& gpt) {
  const double heads = gpt.heads;
  const double kv_heads = gpt.kv_heads == 0 ? heads : gpt.kv_heads;
  const double keys = gpt.hidden / heads * kv_heads;
  const AttentionHeads layer{.heads = gpt.heads, .key_heads = gpt.kv_heads, .causal = true};
  if (gpt.scores == Scores::kStored) {
    if (gpt.positions == Positions::kRotary || kv_heads != heads) {
      throw ShapeError("scores: stored needs positions: learned and as many kv_heads as heads");
    }
    return net.attention_with_stored_scores(name, qkv, gpt.heads, gpt.dropout);
  }
  if (gpt.positions == Positions::kLearned) {
    return net.attention(name, {qkv}, layer);
  }
  const std::vector<Value> parts = net.split(name + ".heads", qkv, {gpt.hidden, keys, keys});
  return net.attention(name,
                       {net.rotary(name + ".turned_q", parts[0]),
                        net.rotary(name + ".turned_k", parts[1]),
                        parts[2]},
                       layer);
}

// Attention, then an MLP; each with a norm before and a residual connection around it.
Value block(Net& net, const std::string& name, Value x, const Gpt& gpt) {
  const auto dense = [&](const char* layer, const Value& input, double features) {
    return net.fully_connected(name + layer, input, features, gpt.bias);
  };
  const auto dropped = [&](const char* layer, const Value& input) {
    return gpt.dropout ? net.dropout(name + layer, input) : input;
  };
  const double kv_heads = gpt.kv_heads == 0 ? gpt.heads : gpt.kv_heads;
  const double between = gpt.intermediate == 0.0 ? 4.0 * gpt.hidden : gpt.intermediate;
  Value y = dense(".qkv",
                  norm(net, name + ".norm1", x, gpt),
                  gpt.hidden + 2.0 * (gpt.hidden / gpt.heads * kv_heads));
  y = attention(net, name + ".attention", y, gpt);
  x = net.add(name + ".add1", x, dropped(".dropout1", dense(".out", y, gpt.hidden)));
  y = norm(net, name + ".norm2", x, gpt);
  if (gpt.mlp == Mlp::kGated) {
    y = dense(".gate_up", y, 2.0 * between);
    const std::vector<Value> parts = net.split(name + ".halves", y, {between, between});
    y = net.multiply(name + ".gate", net.silu(name + ".silu", parts[0]), parts[1]);
  } else {
    y = net.gelu(name + ".gelu", dense(".up", y, between));
  }
  return net.add(name + ".add2", x, dropped(".dropout2", dense(".down", y, gpt.hidden)));
}

}  // namespace

Graph build(const Gpt& gpt, double batch, const NetOptions& options) {
  Net net("gpt", batch, options);
  Value x = net.sequence("word", {.samples = batch, .steps = static_cast<double>(gpt.seq)});
  x = net.embedding("embedding", x, gpt.vocab, gpt.hidden);
  if (gpt.positions == Positions::kLearned) {
    x = net.add_positions("places", x);
  }
  for (std::uint32_t i = 0; i < gpt.layers; ++i) {
    net.begin_block();
    x = block(net, fmt::format("block{}", i), x, gpt);
  }
  net.end_blocks();
  x = norm(net, "norm", x, gpt);
  if (gpt.tied) {
    net.share_weights_by_name();
  }
  x = net.fully_connected(gpt.tied ? "embedding" : "head", x, gpt.vocab);
  gpt.loss == Loss::kFp32 ? net.unfused_cross_entropy("loss", x) : net.cross_entropy("loss", x);
  return std::move(net).take();
}

}  // namespace cairn::model
