#include "cairn/model/networks/gpt.hpp"

#include <fmt/format.h>

namespace cairn::model {

namespace {

RowNorm norm_of(const Gpt& gpt) {
  return {.rms = gpt.norm == Norm::kRms, .shift = gpt.norm_bias};
}

// Queries or keys of every head, as attention reads them.
Value turned(Net& net, const std::string& name, Value x, double heads, const Gpt& gpt) {
  if (gpt.qk_norm) {
    RowNorm norm = norm_of(gpt);
    norm.heads = heads;
    x = net.row_norm(name + "_norm", x, norm);
  }
  return gpt.positions == Positions::kRotary ? net.rotary(name, x) : x;
}

// `qkv`: the concatenated projections to Q, K and V.
Value attend(
    Net& net, const std::string& name, const Value& qkv, std::uint32_t layer, const Gpt& gpt) {
  const AttentionHeads heads{.heads = gpt.heads,
                             .key_heads = gpt.kv_heads,
                             .causal = true,
                             .window = gpt.is_sliding(layer) ? gpt.window : 0};
  const bool as_projected = gpt.positions != Positions::kRotary && !gpt.qk_norm;
  if (gpt.scores == Scores::kStored) {
    if (!as_projected || gpt.key_features() != gpt.query_features() || heads.window > 0) {
      throw ShapeError(
          "scores: stored needs positions: learned or none, as many kv_heads as heads, no qk_norm "
          "and no window");
    }
    return net.attention_with_stored_scores(name, qkv, gpt.heads, gpt.dropout);
  }
  if (as_projected) {
    return net.attention(name, {qkv}, heads);
  }
  const double keys = gpt.key_features();
  const std::vector<Value> parts =
      net.split(name + ".heads", qkv, {gpt.query_features(), keys, keys});
  return net.attention(name,
                       {turned(net, name + ".turned_q", parts[0], gpt.heads, gpt),
                        turned(net, name + ".turned_k", parts[1], keys / gpt.head_width(), gpt),
                        parts[2]},
                       heads);
}

// The layers of one block, called by what they are for.
class BlockOfLayers {
 public:
  BlockOfLayers(Net& net, std::string name, std::uint32_t layer, const Gpt& gpt)
      : net_(net), name_(std::move(name)), layer_(layer), gpt_(gpt) {}

  // Attention and an MLP; each with a norm before and a residual connection around it.
  Value on(Value x) {
    if (gpt_.block == Block::kParallel || gpt_.block == Block::kParallelOneNorm) {
      const Value normed = norm(".norm1", x);
      const Value attended = attention(normed);
      const Value y = mlp(gpt_.block == Block::kParallel ? norm(".norm2", x) : normed);
      return net_.add(name_ + ".add2", x, net_.add(name_ + ".add1", attended, y));
    }
    const bool twice = gpt_.block == Block::kSandwich;
    Value y = attention(norm(".norm1", x));
    x = net_.add(name_ + ".add1", x, twice ? norm(".norm1b", y) : y);
    y = mlp(norm(".norm2", x));
    return net_.add(name_ + ".add2", x, twice ? norm(".norm2b", y) : y);
  }

 private:
  Value norm(const char* layer, const Value& x) {
    return net_.row_norm(name_ + layer, x, norm_of(gpt_));
  }

  Value dense(const char* layer, const Value& x, double features, bool bias) {
    return net_.fully_connected(name_ + layer, x, features, bias);
  }

  Value dropped(const char* layer, const Value& x) {
    return gpt_.dropout ? net_.dropout(name_ + layer, x) : x;
  }

  Value attention(const Value& x) {
    const double features = gpt_.query_features() + 2.0 * gpt_.key_features();
    const Value qkv = dense(".qkv", x, features, gpt_.has_qkv_bias());
    const Value y = attend(net_, name_ + ".attention", qkv, layer_, gpt_);
    return dropped(".dropout1", dense(".out", y, gpt_.hidden, gpt_.has_out_bias()));
  }

  Value mlp(const Value& x) {
    const double between = gpt_.mlp_features();
    Value y = x;
    if (gpt_.is_gated()) {
      y = dense(".gate_up", x, 2.0 * between, gpt_.has_mlp_bias());
      const std::vector<Value> parts = net_.split(name_ + ".halves", y, {between, between});
      y = gpt_.mlp == Mlp::kGated ? net_.silu(name_ + ".silu", parts[0])
                                  : net_.gelu(name_ + ".gelu", parts[0]);
      y = net_.multiply(name_ + ".gate", y, parts[1]);
    } else {
      y = activation(dense(".up", x, between, gpt_.has_mlp_bias()));
    }
    return dropped(".dropout2", dense(".down", y, gpt_.hidden, gpt_.has_mlp_bias()));
  }

  Value activation(const Value& x) {
    switch (gpt_.mlp) {
      case Mlp::kRelu:
        return net_.activation(name_ + ".relu", x);
      case Mlp::kSquaredRelu:
        return net_.squared_relu(name_ + ".squared_relu", x);
      case Mlp::kGelu:
      case Mlp::kGated:
      case Mlp::kGatedGelu:
        break;
    }
    return net_.gelu(name_ + ".gelu", x);
  }

  Net& net_;
  std::string name_;
  std::uint32_t layer_;
  const Gpt& gpt_;
};

}  // namespace

Graph build(const Gpt& gpt, double batch, const NetOptions& options) {
  Net net("gpt", batch, options);
  Value x = net.sequence("word", {.samples = batch, .steps = static_cast<double>(gpt.seq)});
  x = net.embedding("embedding", x, gpt.table_rows(), gpt.hidden);
  if (gpt.positions == Positions::kLearned) {
    x = net.add_positions("places", x, gpt.position_rows());
  }
  if (gpt.embedding_norm) {
    x = net.row_norm("embedding_norm", x, norm_of(gpt));
  }
  for (std::uint32_t i = 0; i < gpt.layers; ++i) {
    net.begin_block();
    x = BlockOfLayers(net, fmt::format("block{}", i), i, gpt).on(x);
  }
  net.end_blocks();
  x = net.row_norm("norm", x, norm_of(gpt));
  if (gpt.tied) {
    net.share_weights_by_name();
  }
  x = net.fully_connected(gpt.tied ? "embedding" : "head", x, gpt.table_rows());
  gpt.loss == Loss::kFp32 ? net.unfused_cross_entropy("loss", x) : net.cross_entropy("loss", x);
  return std::move(net).take();
}

}  // namespace cairn::model
