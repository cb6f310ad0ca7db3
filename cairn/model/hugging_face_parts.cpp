// Parts that several model types share.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cairn/base/config_reader.hpp"
#include "cairn/model/hugging_face_types.hpp"

namespace cairn::model::hugging_face {

namespace {

constexpr std::uint32_t kUsualSeq = 8192;  // of a training run, if not given

bool is_gelu(std::string_view activation) {
  return activation.starts_with("gelu");
}

}  // namespace

void set_seq(Keys& keys, std::uint32_t largest) {
  if (const Config* given = keys.find({"seq"})) {
    keys.set("seq", scalar_text(*given, "a number"), *given);
  } else {
    keys.set("seq", std::to_string(std::min(largest, kUsualSeq)));
  }
}

void take_positions(Keys& keys, const char* kind, Keys::Names largest, std::uint32_t more) {
  const std::uint32_t positions = keys.number(largest);
  keys.set("positions", std::string(kind));
  keys.set("max_seq", std::to_string(positions + more), keys.get(largest));
  set_seq(keys, positions);
}

void take_mlp(Keys& keys, Keys::Names activation, bool gated, const char* otherwise) {
  const Config* given = keys.find(activation);
  const std::string text = given == nullptr ? otherwise : scalar_text(*given, "an activation");
  const auto set = [&](const char* mlp) {
    given == nullptr ? keys.set("mlp", std::string(mlp)) : keys.set("mlp", mlp, *given);
  };
  if (is_gelu(text)) {
    return set(gated ? "gated_gelu" : "gelu");
  }
  if (gated && (text == "silu" || text == "swish")) {
    return set("gated");
  }
  if (!gated && (text == "relu" || text == "relu2")) {
    return set(text == "relu" ? "relu" : "squared_relu");
  }
  reject(*given,
         fmt::format("is not a modelled activation (expected gelu{})",
                     gated ? " or silu" : ", relu or relu2"));
}

void take_windows(Keys& keys, std::vector<std::string> pattern) {
  const Config* types = keys.find({"layer_types"});
  if (types != nullptr && types->kind == Config::Kind::kList) {
    if (types->items.size() != keys.number({"num_hidden_layers"})) {
      reject(*types,
             fmt::format("has {} layers (expected num_hidden_layers)", types->items.size()));
    }
    pattern.clear();
    for (const Config& type : types->items) {
      const std::string& text = scalar_text(type, "a type of layer");
      if (text != "full_attention" && text != "sliding_attention") {
        reject(type, "is not modelled yet (expected full_attention or sliding_attention)");
      }
      pattern.emplace_back(text == "full_attention" ? "full" : "sliding");
    }
  }
  if (std::ranges::find(pattern, "sliding") == pattern.end()) {
    return;
  }
  keys.take("window", {"sliding_window"});
  keys.set("window_layers", pattern, types != nullptr ? *types : keys.get({"sliding_window"}));
}

void take_window(Keys& keys) {
  if (keys.find({"sliding_window"}) != nullptr) {
    take_windows(keys, {"sliding"});
  }
}

void take_sizes(Keys& keys) {
  keys.take("layers", {"num_hidden_layers", "n_layer"});
  keys.take("hidden", {"hidden_size", "n_embed"});
  keys.take("heads", {"num_attention_heads", "n_head"});
  keys.take("vocab", {"vocab_size"});
}

void set_biases(Keys& keys, bool qkv, bool out, bool mlp) {
  keys.set("bias", false);
  keys.set("qkv_bias", qkv);
  keys.set("out_bias", out);
  keys.set("mlp_bias", mlp);
}

}  // namespace cairn::model::hugging_face
