// What each model type of a config.json is in our keys: one function per type, or for several that
// differ in nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/model/hugging_face_keys.hpp"

namespace cairn::model::hugging_face {

using Keys = HuggingFaceKeys;

// Parts that several types share.
void take_sizes(Keys& keys);
// `otherwise`: the activation of a file without one.
void take_mlp(Keys& keys, Keys::Names activation, bool gated, const char* otherwise);
void set_biases(Keys& keys, bool qkv, bool out, bool mlp);
void set_seq(Keys& keys, std::uint32_t largest);
// Sequences up to the largest; `more` rows in the table of learned positions.
void take_positions(Keys& keys, const char* kind, Keys::Names largest, std::uint32_t more = 0);
// Sliding attention of the layers in `pattern`, which repeats; `layer_types` has precedence.
void take_windows(Keys& keys, std::vector<std::string> pattern);
// Sliding attention in all layers, where the file has a window.
void take_window(Keys& keys);

// hugging_face_llama.cpp
void read_llama(Keys& keys);
void read_mistral(Keys& keys);
void read_qwen2(Keys& keys);
void read_qwen3(Keys& keys);
void read_gemma(Keys& keys);
void read_gemma2(Keys& keys);
void read_gemma3(Keys& keys);

// hugging_face_gpt.cpp
void read_starcoder2(Keys& keys);
void read_nemotron(Keys& keys);
void read_gpt2(Keys& keys);
void read_opt(Keys& keys);
void read_bloom(Keys& keys);
void read_gpt_neox(Keys& keys);
void read_mpt(Keys& keys);
void read_falcon(Keys& keys);

}  // namespace cairn::model::hugging_face
