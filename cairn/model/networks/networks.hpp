// The networks Cairn brings along, by their published layer tables. `batch` is the number of
// samples of a step on all devices together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/model/net.hpp"

namespace cairn::model {

// Krizhevsky, Sutskever and Hinton, NIPS 2012.
struct AlexNet {
  bool grouped = false;  // convolutions 2, 4 and 5 in two halves, as trained on two GPUs
};

const Schema<AlexNet>& schema_of(const AlexNet*);
Graph build(const AlexNet& network, double batch, const NetOptions& options);

// Szegedy et al., CVPR 2015, Table 1; without the auxiliary classifiers.
struct GoogLeNet {};

const Schema<GoogLeNet>& schema_of(const GoogLeNet*);
Graph build(const GoogLeNet& network, double batch, const NetOptions& options);

// Simonyan and Zisserman, ICLR 2015, Table 1; convolutions per stage, configuration E by default.
struct Vgg {
  std::vector<std::uint32_t> stages{2, 2, 4, 4, 4};
};

const Schema<Vgg>& schema_of(const Vgg*);
Graph build(const Vgg& network, double batch, const NetOptions& options);

// He et al., CVPR 2016, Table 1.
struct ResNet {
  std::vector<std::uint32_t> blocks{3, 4, 6, 3};
  bool bottleneck = false;   // blocks of 1x1, 3x3, 1x1 instead of 3x3, 3x3
  bool projections = false;  // shortcuts that change shape have weights
  bool affine = false;       // normalizations have weights
};

const Schema<ResNet>& schema_of(const ResNet*);
Graph build(const ResNet& network, double batch, const NetOptions& options);

// Layers of cells, each over all steps. The input comes from layers that are left out and is as
// wide as the hidden state, as in Baidu's DeepBench.
struct RecurrentNet {
  Cell cell = Cell::kLstm;
  double hidden = 1024.0;
  std::uint32_t steps = 25;
  std::uint32_t layers = 1;
  bool weighed = false;  // a loss in place of layers above
};

const Schema<RecurrentNet>& schema_of(const RecurrentNet*);
Graph build(const RecurrentNet& network, double batch, const NetOptions& options);

// Video captioning: VGG's convolutions on every frame, then an LSTM over the frames, then words, as
// of Venugopalan et al., ICCV 2015.
struct VideoNet {
  std::uint32_t frames = 32;
  std::uint32_t frames_at_once = 1;  // by one kernel; the frames before and after wait
  double hidden = 1024.0;
  double vocabulary = 10000.0;
};

const Schema<VideoNet>& schema_of(const VideoNet*);
Graph build(const VideoNet& network, double batch, const NetOptions& options);

// Words to vectors, layers of LSTM cells over the steps, and a choice among all words at each: the
// language model of Ardalani et al., DeepFlow, 2023.
struct LanguageModel {
  double hidden = 2048.0;
  double vocabulary = 32768.0;
  std::uint32_t layers = 2;
  std::uint32_t steps = 20;
  std::uint32_t steps_at_once = 1;  // as in the paper; 0: all
};

const Schema<LanguageModel>& schema_of(const LanguageModel*);
Graph build(const LanguageModel& network, double batch, const NetOptions& options);

// Translation: an encoder and a decoder of LSTM cells, the encoder's first layer in both
// directions, shortcuts from the third layers on, and additive attention that the decoder's first
// layer asks and all its others read (Wu et al., Google's Neural Machine Translation System, 2016).
struct Gnmt {
  std::uint32_t layers = 8;
  double hidden = 1024.0;
  double vocab = 32000.0;
  std::uint32_t steps = 25;
};

const Schema<Gnmt>& schema_of(const Gnmt*);
Graph build(const Gnmt& network, double batch, const NetOptions& options);

// Recommendation: rows of tables and dense features to vectors, products of all pairs of these, and
// layers that make one number of them (Naumov et al. 2019). Sizes: data/models/dlrm.yaml says why.
struct Dlrm {
  double tables = 128.0;
  double rows = 1e6;
  double dim = 64.0;
  double lookups = 20.0;
  double dense = 768.0;
  std::vector<std::uint32_t> bottom{1024, 1024, 1024, 1024};
  std::vector<std::uint32_t> top{2048, 2048, 1024};
};

const Schema<Dlrm>& schema_of(const Dlrm*);
Graph build(const Dlrm& network, double batch, const NetOptions& options);

// Of attention: what becomes of each query's scores for all keys.
enum class Scores : std::uint8_t {
  kInPlace,  // never stored: one kernel (Dao et al. 2022)
  kStored,   // by a product, softmax and another product, each of which reads what the one before
             // wrote
};

// The two layers behind attention, and what is between them.
enum class Mlp : std::uint8_t {
  kGelu,   // GELU
  kGated,  // half of the first one's output, through SiLU, weighs the other half (Shazeer 2020)
};

enum class Norm : std::uint8_t { kLayer, kRms };

// How a model knows the place of a word.
enum class Positions : std::uint8_t {
  kLearned,  // by a vector for each that is added
  kRotary,   // queries and keys are turned (Su et al. 2021)
};

// The choice among all words.
enum class Loss : std::uint8_t {
  kAsTrained,  // by one kernel, in the precision that is trained in
  kFp32,       // in fp32, each step of it by a kernel, as where words are spread over devices
};

// Words and their places to vectors, blocks of causal attention and two layers with GELU between,
// and a choice among all words at each step: Radford et al., Language Models are Unsupervised
// Multitask Learners, 2019, with the sizes of its smallest. With a gate, RMS norms, rotary
// positions and no biases it is a Llama: Touvron et al., LLaMA, 2023.
struct Gpt {
  std::uint32_t layers = 12;
  double hidden = 768.0;
  std::uint32_t heads = 12;
  double vocab = 50304.0;  // 50,257 filled up to a multiple of 128
  std::uint32_t seq = 1024;
  bool tied = false;
  Scores scores = Scores::kInPlace;
  bool dropout = false;
  Mlp mlp = Mlp::kGelu;
  double intermediate = 0.0;  // features between the two layers; 0: four times hidden
  Norm norm = Norm::kLayer;
  Positions positions = Positions::kLearned;
  std::uint32_t kv_heads = 0;  // of keys and values; 0: as many as heads
  bool bias = true;
  Loss loss = Loss::kAsTrained;
};

const Schema<Gpt>& schema_of(const Gpt*);
Graph build(const Gpt& network, double batch, const NetOptions& options);

// (rows x inner)(inner x columns), the rows being the batch.
struct Gemm {
  double columns = 4096.0;
  double inner = 4096.0;
};

const Schema<Gemm>& schema_of(const Gemm*);
Graph build(const Gemm& network, double batch, const NetOptions& options);

// The first part of VGG, up to its last pool.
Value vgg_features(Net& net, Value x, const std::vector<std::uint32_t>& stages);

}  // namespace cairn::model

template <>
struct cairn::EnumNames<cairn::model::Cell> {
  using Cell = cairn::model::Cell;
  static constexpr std::array<EnumName<Cell>, 3> kNames{
      {{Cell::kVanilla, "vanilla"}, {Cell::kLstm, "lstm"}, {Cell::kGru, "gru"}}};
};

template <>
struct cairn::EnumNames<cairn::model::PoolSaves> {
  using E = cairn::model::PoolSaves;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kIndices, "indices"}, {E::kLongIndices, "long_indices"}, {E::kMaps, "maps"}}};
};

template <>
struct cairn::EnumNames<cairn::model::ActivationSaves> {
  using E = cairn::model::ActivationSaves;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kMap, "map"}, {E::kMask, "mask"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Scores> {
  using E = cairn::model::Scores;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kInPlace, "in_place"}, {E::kStored, "stored"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Mlp> {
  using E = cairn::model::Mlp;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kGelu, "gelu"}, {E::kGated, "gated"}}};
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
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kLearned, "learned"}, {E::kRotary, "rotary"}}};
};

template <>
struct cairn::EnumNames<cairn::model::RecurrentKernels> {
  using E = cairn::model::RecurrentKernels;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kByStep, "by_step"}, {E::kByLayer, "by_layer"}}};
};
