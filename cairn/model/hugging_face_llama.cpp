// Llama and its relatives: RMS norms, RoPE, a gated MLP, KV heads.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cairn/base/config_reader.hpp"
#include "cairn/model/hugging_face_types.hpp"

namespace cairn::model::hugging_face {

namespace {

void read_relative(Keys& keys, const char* activation, bool tied) {
  take_sizes(keys);
  keys.take_if("kv_heads", {"num_key_value_heads"});
  keys.take_if("head_dim", {"head_dim"});
  keys.take("intermediate", {"intermediate_size"});
  take_mlp(keys, {"hidden_activation", "hidden_act"}, true, activation);
  keys.set("norm", std::string("rms"));
  keys.set("tied", keys.is("tie_word_embeddings", tied));
  take_positions(keys, "rotary", {"max_position_embeddings"});
}

// The first `max_window_layers` layers have full attention.
void take_windows_of_qwen(Keys& keys) {
  if (!keys.is("use_sliding_window", false)) {
    return;
  }
  const std::uint32_t layers = keys.number({"num_hidden_layers"});
  const std::uint32_t full =
      keys.find({"layer_types"}) != nullptr
          ? 0
          : static_cast<std::uint32_t>(read_integer(keys.get({"max_window_layers"}), 0, INT32_MAX));
  std::vector<std::string> pattern(layers, "sliding");
  std::fill_n(pattern.begin(), std::min(full, layers), "full");
  take_windows(keys, std::move(pattern));
}

}  // namespace

void read_llama(Keys& keys) {
  read_relative(keys, "silu", false);
  const bool attention = keys.is("attention_bias", false);
  set_biases(keys, attention, attention, keys.is("mlp_bias", false));
}

void read_mistral(Keys& keys) {
  read_relative(keys, "silu", false);
  set_biases(keys, false, false, false);
  take_window(keys);
}

void read_qwen2(Keys& keys) {
  read_relative(keys, "silu", false);
  set_biases(keys, true, false, false);
  take_windows_of_qwen(keys);
}

void read_qwen3(Keys& keys) {
  static_cast<void>(keys.get({"head_dim"}));  // not hidden / heads
  read_relative(keys, "silu", false);
  const bool attention = keys.is("attention_bias", false);
  set_biases(keys, attention, attention, false);
  keys.set("qk_norm", true);
  take_windows_of_qwen(keys);
}

void read_gemma(Keys& keys) {
  static_cast<void>(keys.get({"head_dim"}));  // not hidden / heads
  read_relative(keys, "gelu", true);
  const bool attention = keys.is("attention_bias", false);
  set_biases(keys, attention, attention, false);
}

void read_gemma2(Keys& keys) {
  read_gemma(keys);
  keys.set("block", std::string("sandwich"));
  take_windows(keys, {"sliding", "full"});
}

void read_gemma3(Keys& keys) {
  constexpr std::uint32_t kUsualPattern = 6;
  read_gemma(keys);
  keys.set("block", std::string("sandwich"));
  keys.set("qk_norm", true);
  const Keys::Names every = {"sliding_window_pattern", "_sliding_window_pattern"};
  std::vector<std::string> pattern(keys.find(every) != nullptr ? keys.number(every) : kUsualPattern,
                                   "sliding");
  pattern.back() = "full";
  take_windows(keys, std::move(pattern));
}

}  // namespace cairn::model::hugging_face
