// Transformer language models. One description holds all of them: GPT, Llama, Gemma, Falcon and so
// on differ in its options only (hugging_face.hpp maps published configurations to it).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/model/net.hpp"

namespace cairn::model {

// Attention scores of each query for all keys.
enum class Scores : std::uint8_t {
  kInPlace,  // never stored: one fused kernel (Dao et al., FlashAttention, 2022)
  kStored,   // stored: separate kernels for GEMM, softmax and GEMM
};

// The MLP of a transformer block. A gated one multiplies an activation of one half of its first
// layer's output by the other half (Shazeer 2020).
enum class Mlp : std::uint8_t {
  kGelu,         // two layers with GELU between them
  kGated,        // SwiGLU
  kGatedGelu,    // GeGLU
  kRelu,         // two layers with ReLU between them
  kSquaredRelu,  // the same with its square (So et al., Primer, 2021)
};

enum class Norm : std::uint8_t { kLayer, kRms };

// Position embedding.
enum class Positions : std::uint8_t {
  kLearned,  // a learned vector per position, added to the token embedding
  kRotary,   // RoPE on queries and keys (Su et al. 2021)
  kNone,     // none, or a bias of the scores (Press et al., ALiBi, 2021)
};

// Norms and residual connections of a block.
enum class Block : std::uint8_t {
  kSequential,       // x += attention(norm(x)); x += MLP(norm(x))
  kSandwich,         // the same with a norm of each result too: four (Gemma 2)
  kParallel,         // x += attention(norm(x)) + MLP(norm(x)) (Wang and Komatsuzaki, GPT-J, 2021)
  kParallelOneNorm,  // the same with one norm for both (Falcon)
};

// The keys that a layer's queries attend to, all of them causal.
enum class Reach : std::uint8_t {
  kFull,
  kSliding,  // the last `window`
};

// Cross entropy over the vocabulary.
enum class Loss : std::uint8_t {
  kAsTrained,  // one kernel in the training precision
  kFp32,       // unfused in fp32, as frameworks compute it over a partitioned vocabulary
};

// Transformer decoder: token and position embeddings, blocks of causal attention and an MLP, an
// output head over the vocabulary. Radford et al., Language Models are Unsupervised Multitask
// Learners, 2019; the defaults are its smallest model. With SwiGLU, RMS norms, RoPE and no biases
// it is a Llama: Touvron et al., LLaMA, 2023.
struct Gpt {
  std::uint32_t layers = 12;
  double hidden = 768.0;
  std::uint32_t heads = 12;
  double vocab = 50304.0;  // 50,257 padded to a multiple of 128
  std::uint32_t seq = 1024;
  bool tied = false;
  Scores scores = Scores::kInPlace;
  bool dropout = false;
  Mlp mlp = Mlp::kGelu;
  double intermediate = 0.0;  // intermediate size of the MLP; 0: four times hidden
  Norm norm = Norm::kLayer;
  Positions positions = Positions::kLearned;
  std::uint32_t kv_heads = 0;  // 0: as many as heads
  bool bias = true;
  Loss loss = Loss::kAsTrained;
  double head_dim = 0.0;           // 0: hidden / heads
  std::optional<bool> qkv_bias{};  // each of these: as `bias`
  std::optional<bool> out_bias{};  // of attention
  std::optional<bool> mlp_bias{};
  bool norm_bias = true;        // a layer norm has a shift
  bool qk_norm = false;         // norms of each head's query and key
  bool embedding_norm = false;  // a norm after the embedding
  Block block = Block::kSequential;
  std::uint32_t window = 0;            // keys of sliding attention; 0: all attention is full
  std::vector<Reach> window_layers{};  // of layer i: element i modulo size; empty: all sliding
  double vocab_multiple = 1.0;         // the vocabulary is padded to a multiple of it
  std::uint32_t max_seq = 0;           // largest sequence, rows of learned positions; 0: seq

  [[nodiscard]] double head_width() const { return head_dim == 0.0 ? hidden / heads : head_dim; }

  [[nodiscard]] double query_features() const { return head_width() * heads; }

  // Of K; of V as many.
  [[nodiscard]] double key_features() const {
    return head_width() * (kv_heads == 0 ? heads : kv_heads);
  }

  [[nodiscard]] double mlp_features() const {
    return intermediate == 0.0 ? 4.0 * hidden : intermediate;
  }

  [[nodiscard]] bool is_gated() const { return mlp == Mlp::kGated || mlp == Mlp::kGatedGelu; }

  [[nodiscard]] bool has_qkv_bias() const { return qkv_bias.value_or(bias); }

  [[nodiscard]] bool has_out_bias() const { return out_bias.value_or(bias); }

  [[nodiscard]] bool has_mlp_bias() const { return mlp_bias.value_or(bias); }

  // Rows of the embedding table: the padded vocabulary.
  [[nodiscard]] double table_rows() const;

  // Rows of the table of learned positions.
  [[nodiscard]] double position_rows() const { return max_seq == 0 ? seq : max_seq; }

  // Whether a layer has sliding attention that is shorter than the sequence.
  [[nodiscard]] bool is_sliding(std::uint32_t layer) const;

  // How many layers have it.
  [[nodiscard]] double sliding_layers() const;
};

const Schema<Gpt>& schema_of(const Gpt*);

// Throws ConfigError also for sizes that do not divide, at the key that the user wrote.
Gpt read_gpt(const Config& config);

Graph build(const Gpt& network, double batch, const NetOptions& options);

}  // namespace cairn::model

template <>
struct cairn::EnumNames<cairn::model::Scores> {
  using E = cairn::model::Scores;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kInPlace, "in_place"}, {E::kStored, "stored"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Mlp> {
  using E = cairn::model::Mlp;
  static constexpr std::array<EnumName<E>, 5> kNames{{{E::kGelu, "gelu"},
                                                      {E::kGated, "gated"},
                                                      {E::kGatedGelu, "gated_gelu"},
                                                      {E::kRelu, "relu"},
                                                      {E::kSquaredRelu, "squared_relu"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Norm> {
  using E = cairn::model::Norm;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kLayer, "layer"}, {E::kRms, "rms"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Loss> {
  using E = cairn::model::Loss;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kAsTrained, "as_trained"}, {E::kFp32, "fp32"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Positions> {
  using E = cairn::model::Positions;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kLearned, "learned"}, {E::kRotary, "rotary"}, {E::kNone, "none"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Block> {
  using E = cairn::model::Block;
  static constexpr std::array<EnumName<E>, 4> kNames{{{E::kSequential, "sequential"},
                                                      {E::kSandwich, "sandwich"},
                                                      {E::kParallel, "parallel"},
                                                      {E::kParallelOneNorm, "parallel_one_norm"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Reach> {
  using E = cairn::model::Reach;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kFull, "full"}, {E::kSliding, "sliding"}}};
};
