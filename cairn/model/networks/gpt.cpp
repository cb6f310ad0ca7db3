#include <fmt/format.h>

#include <cmath>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Gpt>& schema_of(const Gpt*) {
  static const auto kSchema =
      Schema<Gpt>("gpt", "blocks of attention over words (Radford et al. 2019)")
          .optional("layers", &Gpt::layers, "blocks, on top of each other")
          .at_least(1)
          .optional("hidden", &Gpt::hidden, "features of a word")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("heads", &Gpt::heads, "of attention; must divide hidden")
          .at_least(1)
          .optional("vocab", &Gpt::vocab, "words to choose from, per step")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("seq", &Gpt::seq, "words of a sample")
          .at_least(1)
          .optional("tied", &Gpt::tied, "words are chosen by the table they are looked up in")
          .optional("scores",
                    &Gpt::scores,
                    "of attention: one kernel that never stores them, or kernels that do")
          .optional("dropout", &Gpt::dropout, "of stored scores, and before every shortcut");
  return kSchema;
}

namespace {

// Attention, then two layers with GELU between, each behind a layer norm and around a shortcut.
Value block(Net& net, const std::string& name, Value x, const Gpt& gpt) {
  const auto dense = [&](const char* layer, const Value& input, double features) {
    return net.fully_connected(name + layer, input, features, true);
  };
  const auto dropped = [&](const char* layer, const Value& input) {
    return gpt.dropout ? net.dropout(name + layer, input) : input;
  };
  Value y = dense(".qkv", net.layer_norm(name + ".norm1", x), 3.0 * gpt.hidden);
  y = gpt.scores == Scores::kInPlace
          ? net.attention(name + ".attention", {y}, {.heads = gpt.heads, .causal = true})
          : net.attention_by_scores(name + ".attention", y, gpt.heads, gpt.dropout);
  x = net.add(name + ".add1", x, dropped(".dropout1", dense(".out", y, gpt.hidden)));
  y = dense(".up", net.layer_norm(name + ".norm2", x), 4.0 * gpt.hidden);
  y = dense(".down", net.gelu(name + ".gelu", y), gpt.hidden);
  return net.add(name + ".add2", x, dropped(".dropout2", y));
}

}  // namespace

Graph build(const Gpt& gpt, double batch, const NetOptions& options) {
  Net net("gpt", batch, options);
  Value x = net.sequence("word", {.samples = batch, .steps = static_cast<double>(gpt.seq)});
  x = net.embedding("embedding", x, gpt.vocab, gpt.hidden);
  x = net.add_positions("places", x);
  for (std::uint32_t i = 0; i < gpt.layers; ++i) {
    net.begin_block();
    x = block(net, fmt::format("block{}", i), x, gpt);
  }
  net.end_blocks();
  x = net.layer_norm("norm", x);
  if (gpt.tied) {
    net.share_weights_by_name();
  }
  net.cross_entropy("loss", net.fully_connected(gpt.tied ? "embedding" : "head", x, gpt.vocab));
  return std::move(net).take();
}

}  // namespace cairn::model
