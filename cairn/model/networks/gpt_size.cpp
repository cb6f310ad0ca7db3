#include "cairn/model/networks/gpt_size.hpp"

namespace cairn::model {

namespace {

// Per multiply-accumulate forward: two, and as many for each of the two gradients.
constexpr double kFlopsPerMac = 6.0;

// A scale per feature, and the shift of a layer norm.
double norm_weights(const Gpt& gpt, double features) {
  return gpt.norm == Norm::kLayer && gpt.norm_bias ? 2.0 * features : features;
}

double norms_of_block(const Gpt& gpt) {
  switch (gpt.block) {
    case Block::kSandwich:
      return 4.0;
    case Block::kParallelOneNorm:
      return 1.0;
    case Block::kSequential:
    case Block::kParallel:
      break;
  }
  return 2.0;
}

// `macs`: of products, per token.
LayerSize products(const char* kind, const char* part, double count, double macs, double more) {
  return {.kind = kind,
          .part = part,
          .count = count,
          .parameters = count * (macs + more),
          .flops_per_token = kFlopsPerMac * count * macs,
          .flops_per_token_not_causal = kFlopsPerMac * count * macs};
}

LayerSize weights_only(const char* kind, const char* part, double count, double weights) {
  return {.kind = kind, .part = part, .count = count, .parameters = count * weights};
}

// Of `count` layers whose queries attend to `keys` keys on average, or half of them if causal:
// Q K^T and P V.
LayerSize scores(const char* part, double count, double keys, const Gpt& gpt) {
  const double flops = kFlopsPerMac * count * keys * 2.0 * gpt.query_features();
  return {.kind = "block",
          .part = part,
          .count = count,
          .flops_per_token = flops / 2.0,
          .flops_per_token_not_causal = flops};
}

void add_scores(const Gpt& gpt, std::vector<LayerSize>& layers) {
  const double sliding = gpt.sliding_layers();
  const double seq = gpt.seq;
  const double window = gpt.window;
  if (sliding < gpt.layers) {
    layers.push_back(scores("scores", gpt.layers - sliding, seq, gpt));
  }
  if (sliding > 0.0) {
    layers.push_back(scores("sliding scores", sliding, 2.0 * window - window * window / seq, gpt));
  }
}

double sum(const std::vector<LayerSize>& layers, double LayerSize::* number) {
  double total = 0.0;
  for (const LayerSize& layer : layers) {
    total += layer.*number;
  }
  return total;
}

}  // namespace

double ModelSize::parameters() const {
  return sum(layers, &LayerSize::parameters);
}

double ModelSize::flops_per_token() const {
  return sum(layers, &LayerSize::flops_per_token);
}

double ModelSize::flops_per_token_not_causal() const {
  return sum(layers, &LayerSize::flops_per_token_not_causal);
}

ModelSize size_of(const Gpt& gpt) {
  const double h = gpt.hidden;
  const double count = gpt.layers;
  const double queries = gpt.query_features();
  const double qkv = queries + 2.0 * gpt.key_features();
  const double between = gpt.mlp_features();
  const double up = gpt.is_gated() ? 2.0 * between : between;
  const double table = gpt.table_rows() * h;

  ModelSize size;
  std::vector<LayerSize>& layers = size.layers;
  layers.push_back(weights_only("embedding", "tokens", 1.0, table));
  if (gpt.positions == Positions::kLearned) {
    layers.push_back(weights_only("embedding", "positions", 1.0, gpt.position_rows() * h));
  }
  if (gpt.embedding_norm) {
    layers.push_back(weights_only("embedding", "norm", 1.0, norm_weights(gpt, h)));
  }
  const double biases_of_attention =
      (gpt.has_qkv_bias() ? qkv : 0.0) + (gpt.has_out_bias() ? h : 0.0);
  layers.push_back(
      products("block", "attention", count, h * qkv + queries * h, biases_of_attention));
  add_scores(gpt, layers);
  layers.push_back(
      products("block", "MLP", count, h * up + between * h, gpt.has_mlp_bias() ? up + h : 0.0));
  const double norms_of_heads = gpt.qk_norm ? 2.0 * norm_weights(gpt, gpt.head_width()) : 0.0;
  layers.push_back(weights_only(
      "block", "norms", count, norms_of_block(gpt) * norm_weights(gpt, h) + norms_of_heads));
  layers.push_back(weights_only("norm", "", 1.0, norm_weights(gpt, h)));
  layers.push_back(products("head", "", 1.0, table, 0.0));
  if (gpt.tied) {
    layers.back().parameters = 0.0;
  }
  return size;
}

}  // namespace cairn::model
