// The bundled networks, by their published layer tables. `batch`: samples of a step, all devices
// together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/base/schema.hpp"
#include "cairn/model/net.hpp"
#include "cairn/model/networks/gpt.hpp"

namespace cairn::model {

// Krizhevsky, Sutskever and Hinton, NIPS 2012.
struct AlexNet {
  bool grouped = false;  // convolutions 2, 4 and 5 in two groups, as trained on two GPUs
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
  bool projections = false;  // residual connections that change shape have weights
  bool affine = false;       // normalizations have weights
};

const Schema<ResNet>& schema_of(const ResNet*);
Graph build(const ResNet& network, double batch, const NetOptions& options);

// Recurrent layers. The input comes from omitted lower layers and has the hidden size, as in
// Baidu's DeepBench.
struct RecurrentNet {
  Cell cell = Cell::kLstm;
  double hidden = 1024.0;
  std::uint32_t steps = 25;
  std::uint32_t layers = 1;
  bool weighed = false;  // a loss stands for omitted upper layers
};

const Schema<RecurrentNet>& schema_of(const RecurrentNet*);
Graph build(const RecurrentNet& network, double batch, const NetOptions& options);

// Video captioning: VGG's convolutions on every frame, an LSTM over the frames, an output layer
// over the vocabulary (Venugopalan et al., ICCV 2015).
struct VideoNet {
  std::uint32_t frames = 32;
  std::uint32_t frames_at_once = 1;  // frames per kernel
  double hidden = 1024.0;
  double vocabulary = 10000.0;
};

const Schema<VideoNet>& schema_of(const VideoNet*);
Graph build(const VideoNet& network, double batch, const NetOptions& options);

// Embedding, LSTM layers, and an output layer over the vocabulary at each step: the language model
// of Ardalani et al., DeepFlow, 2023.
struct LanguageModel {
  double hidden = 2048.0;
  double vocabulary = 32768.0;
  std::uint32_t layers = 2;
  std::uint32_t steps = 20;
  std::uint32_t steps_at_once = 1;  // steps per kernel of the output layer; 0: all
};

const Schema<LanguageModel>& schema_of(const LanguageModel*);
Graph build(const LanguageModel& network, double batch, const NetOptions& options);

// Machine translation: an encoder and a decoder of LSTM layers, the encoder's first layer
// bidirectional, residual connections from the third layers on, and additive attention queried by
// the decoder's first layer and read by its others (Wu et al., Google's Neural Machine Translation
// System, 2016).
struct Gnmt {
  std::uint32_t layers = 8;
  double hidden = 1024.0;
  double vocab = 32000.0;
  std::uint32_t steps = 25;
};

const Schema<Gnmt>& schema_of(const Gnmt*);
Graph build(const Gnmt& network, double batch, const NetOptions& options);

// Recommendation: embedding tables and a bottom MLP, pairwise products of their vectors, and a top
// MLP with one output (Naumov et al. 2019). data/models/dlrm.yaml has the sources of the sizes.
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

// (rows x inner)(inner x columns), the rows being the batch.
struct Gemm {
  double columns = 4096.0;
  double inner = 4096.0;
};

const Schema<Gemm>& schema_of(const Gemm*);
Graph build(const Gemm& network, double batch, const NetOptions& options);

// VGG up to its last pool.
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
struct cairn::EnumNames<cairn::model::RecurrentKernels> {
  using E = cairn::model::RecurrentKernels;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kByStep, "by_step"}, {E::kByLayer, "by_layer"}}};
};
