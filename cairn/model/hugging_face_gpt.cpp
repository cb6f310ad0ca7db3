// GPT-2 and models that take after it: layer norms, an MLP without gates.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cairn/base/config_reader.hpp"
#include "cairn/model/hugging_face_types.hpp"

namespace cairn::model::hugging_face {

namespace {

// Of models whose files do not say; the default of both classes in transformers.
constexpr std::uint32_t kPositionsOfBloomAndFalcon = 2048;

}  // namespace

void read_starcoder2(Keys& keys) {
  take_sizes(keys);
  keys.take_if("kv_heads", {"num_key_value_heads"});
  keys.take("intermediate", {"intermediate_size"});
  take_mlp(keys, {"hidden_act"}, false, "gelu");
  keys.set("bias", keys.is("use_bias", true));
  keys.set("tied", keys.is("tie_word_embeddings", true));
  take_positions(keys, "rotary", {"max_position_embeddings"});
  take_window(keys);
}

void read_nemotron(Keys& keys) {
  take_sizes(keys);
  keys.take_if("kv_heads", {"num_key_value_heads"});
  keys.take_if("head_dim", {"head_dim"});
  keys.take("intermediate", {"intermediate_size"});
  take_mlp(keys, {"hidden_act"}, false, "relu2");
  const bool attention = keys.is("attention_bias", false);
  set_biases(keys, attention, attention, keys.is("mlp_bias", false));
  keys.set("tied", keys.is("tie_word_embeddings", false));
  take_positions(keys, "rotary", {"max_position_embeddings"});
}

void read_gpt2(Keys& keys) {
  keys.take("layers", {"n_layer"});
  keys.take("hidden", {"n_embd"});
  keys.take("heads", {"n_head"});
  keys.take("vocab", {"vocab_size"});
  keys.take_if("intermediate", {"n_inner"});
  take_mlp(keys, {"activation_function"}, false, "gelu");
  keys.set("tied", keys.is("tie_word_embeddings", true));
  take_positions(keys, "learned", {"n_positions"});
}

// The table has two rows more than there are positions.
void read_opt(Keys& keys) {
  constexpr std::uint32_t kMoreRows = 2;
  take_sizes(keys);
  keys.take("intermediate", {"ffn_dim"});
  take_mlp(keys, {"activation_function"}, false, "relu");
  keys.set("bias", keys.is("enable_bias", true));
  keys.set("tied", keys.is("tie_word_embeddings", true));
  take_positions(keys, "learned", {"max_position_embeddings"}, kMoreRows);
  if (!keys.is("do_layer_norm_before", true)) {
    reject(keys.get({"do_layer_norm_before"}), "is not modelled (norms after attention and MLP)");
  }
  if (keys.find({"word_embed_proj_dim"}) != nullptr &&
      keys.number({"word_embed_proj_dim"}) != keys.number({"hidden_size"})) {
    reject(keys.get({"word_embed_proj_dim"}), "is not modelled (expected hidden_size)");
  }
}

void read_bloom(Keys& keys) {
  keys.take("layers", {"n_layer", "num_hidden_layers"});
  keys.take("hidden", {"n_embed", "hidden_size"});
  keys.take("heads", {"n_head", "num_attention_heads"});
  keys.take("vocab", {"vocab_size"});
  keys.set("positions", std::string("none"));
  keys.set("embedding_norm", true);
  keys.set("tied", keys.is("tie_word_embeddings", true));
  const bool given = keys.find({"seq_length"}) != nullptr;
  set_seq(keys, given ? keys.number({"seq_length"}) : kPositionsOfBloomAndFalcon);
}

void read_gpt_neox(Keys& keys) {
  take_sizes(keys);
  keys.take("intermediate", {"intermediate_size"});
  take_mlp(keys, {"hidden_act"}, false, "gelu");
  const bool attention = keys.is("attention_bias", true);
  keys.set("qkv_bias", attention);
  keys.set("out_bias", attention);
  keys.set("tied", keys.is("tie_word_embeddings", false));
  keys.set("block",
           std::string(keys.is("use_parallel_residual", true) ? "parallel" : "sequential"));
  take_positions(keys, "rotary", {"max_position_embeddings"});
}

void read_mpt(Keys& keys) {
  constexpr std::uint32_t kUsualRatio = 4;
  keys.take("layers", {"n_layers"});
  keys.take("hidden", {"d_model"});
  keys.take("heads", {"n_heads"});
  keys.take("vocab", {"vocab_size"});
  const std::uint32_t ratio =
      keys.find({"expansion_ratio"}) != nullptr ? keys.number({"expansion_ratio"}) : kUsualRatio;
  keys.set("intermediate", std::to_string(std::uint64_t{ratio} * keys.number({"d_model"})));
  const bool bias = !keys.is("no_bias", true);
  keys.set("bias", bias);
  keys.set("norm_bias", bias);
  keys.set("tied", keys.is("tie_word_embeddings", true));
  const Config* given = keys.find({"attn_config"});
  const auto find = [&](const char* key) { return given == nullptr ? nullptr : given->find(key); };
  const auto is = [&](const char* key, bool otherwise) {
    const Config* found = find(key);
    return found == nullptr ? otherwise : read_bool(*found);
  };
  if (is("qk_ln", false)) {
    reject(*find("qk_ln"), "is not modelled");
  }
  const Config* type = find("attn_type");
  if (const Config* heads = find("kv_n_heads")) {
    keys.set("kv_heads", scalar_text(*heads, "a number"), *heads);
  } else if (type != nullptr && type->text == "multiquery_attention") {
    keys.set("kv_heads", "1", *type);
  }
  const bool learned = !is("alibi", true) && keys.is("learned_pos_emb", true);
  take_positions(keys,
                 is("rope", false) ? "rotary"
                 : learned         ? "learned"
                                   : "none",
                 {"max_seq_len"});
}

void read_falcon(Keys& keys) {
  constexpr std::uint32_t kBoth = 2;
  take_sizes(keys);
  keys.take_if("intermediate", {"ffn_hidden_size"});
  take_mlp(keys, {"activation"}, false, "gelu");
  keys.set("bias", keys.is("bias", false));
  keys.set("tied", keys.is("tie_word_embeddings", true));
  const bool newer = keys.is("new_decoder_architecture", false);
  if (newer) {
    keys.take_if("kv_heads", {"num_kv_heads", "n_head_kv"});
  } else if (keys.is("multi_query", true)) {
    keys.set("kv_heads", std::string("1"));
  }
  const bool two_norms = newer && (keys.find({"num_ln_in_parallel_attn"}) == nullptr ||
                                   keys.number({"num_ln_in_parallel_attn"}) == kBoth);
  const bool parallel = newer || keys.is("parallel_attn", true);
  keys.set("block",
           std::string(!parallel   ? "sequential"
                       : two_norms ? "parallel"
                                   : "parallel_one_norm"));
  const char* positions = keys.is("alibi", false) ? "none" : "rotary";
  if (keys.find({"max_position_embeddings"}) != nullptr) {
    return take_positions(keys, positions, {"max_position_embeddings"});
  }
  keys.set("positions", std::string(positions));
  set_seq(keys, kPositionsOfBloomAndFalcon);
}

}  // namespace cairn::model::hugging_face
