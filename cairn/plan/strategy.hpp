// How training is spread over devices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/precision.hpp"
#include "cairn/plan/mesh.hpp"

namespace cairn::plan {

enum class Parallelism : std::uint8_t {
  kData,           // every device has all weights and its own samples
  kModel,          // every device has all samples and its own output channels of each layer
  kOneWeirdTrick,  // convolutions by data, fully connected layers by model (Krizhevsky 2014)
  kHybrid,         // tables by model, all else by data (Naumov et al. 2019)
  kRowColumn,      // of each GEMM, k1 shards of the rows of its result by k2 of the columns
  kColumnRow,      // of each GEMM, k1 shards of the sum; the partial results are added up
  // In pairs: of the first layer's output, k1 shards of the channels; of the second's sum, the
  // terms that these are (Shoeybi et al., Megatron-LM, 2019).
  kTensor,
};

// In one line.
std::string_view describe(Parallelism parallelism);

enum class BatchPer : std::uint8_t { kDevice, kAll };

// When the weight gradient of a recurrent layer is summed over devices.
enum class RecurrentSync : std::uint8_t { kEveryStep, kOnce };

// How weight gradients are summed over devices.
enum class GradientSync : std::uint8_t {
  kOverlapped,  // beside kernels, one after the other
  kBlocking,    // the next kernel waits; in a pipeline, after a stage's last backward pass
  kUnshared,  // all at once, each with the links for itself: more than there is, as some models do
};

// When the data gradient of a pipeline stage leaves for the stage before it.
enum class SendGradients : std::uint8_t {
  kAtEnd,   // after the stage's whole backward pass of the micro-batch, as autograd does
  kAsMade,  // as soon as its operator has run, beside the stage's last weight gradients
};

// Where a pipeline may be cut into stages.
enum class CutAt : std::uint8_t {
  kBlocks,  // at the borders of repeated blocks; elsewhere between layers
  kLayers,  // between any two layers
};

// Model-parallel: what of a layer's input is there for its weight gradient. The weight gradient of
// some output channels needs all input channels, of which a device made only its own.
enum class ModelParallelInput : std::uint8_t {
  kSlice,     // its own channels; that the others must be fetched again is not counted
  kGathered,  // all channels, kept since the forward pass
  kRegather,  // its own channels; the others are gathered again
};

// Model-parallel: how partial sums of dX become the channels that a device goes on with.
enum class PartialSum : std::uint8_t { kAllReduce, kReduceScatter };

// Where a tensor lies by samples and is wanted by channels, or the other way round.
enum class Resharding : std::uint8_t {
  kAllToAll,  // each device gets what it wants
  kGather,    // each gets everything, and takes what it wants
};

// column_row: what a shard computes of a weight gradient.
enum class InnerGradient : std::uint8_t {
  kRows,     // the rows of the weight that it has
  kSamples,  // all of it, from its part of the samples; the parts are added up
};

// Of a weight that was brought into another layout for the backward pass.
enum class WeightCopies : std::uint8_t {
  kKept,   // for the other steps and micro-batches that use it
  kAgain,  // each use brings it again, and needs no memory in between
};

// What adding a weight gradient to that of another step or micro-batch costs.
enum class Accumulation : std::uint8_t {
  kReadAndWrite,  // the sum so far is read and written
  kWriteOnly,     // as if memory added: only what is new is written
  kOwnKernel,     // what is new is written; another kernel reads it and adds it to the sum
};

// In which order a stage works on micro-batches.
enum class PipelineOrder : std::uint8_t {
  kOneForwardOneBackward,  // backward as soon as it can (PipeDream-flush; Narayanan et al. 2021)
  kAllForwardFirst,        // GPipe (Huang et al. 2019)
};

inline constexpr double kMostSamples = 1e9;
inline constexpr std::uint32_t kMostMicroBatches = 4096;

struct Strategy {
  Parallelism parallelism = Parallelism::kData;
  // Sizes of the axes; 0: one of them takes what the others leave (data; by model, k1), the others
  // are 1.
  std::uint32_t kernel1 = 0;
  std::uint32_t kernel2 = 0;
  std::uint32_t data = 0;
  std::uint32_t stages = 1;
  std::uint32_t micro_batches = 1;
  PipelineOrder pipeline = PipelineOrder::kOneForwardOneBackward;
  std::vector<std::string> cuts{};  // the first operator of each stage but the first
  CutAt cut_at = CutAt::kBlocks;    // where stages may begin if `cuts` is empty
  SendGradients send_gradients = SendGradients::kAtEnd;
  // Axes in the order in which their shards become neighbours, or the device of every shard; both
  // empty: the order with the least communication time.
  std::vector<Axis> order{};
  std::vector<std::uint32_t> placement{};
  Resharding resharding = Resharding::kAllToAll;
  InnerGradient inner_gradient = InnerGradient::kRows;
  WeightCopies weight_copies = WeightCopies::kKept;
  Accumulation accumulation = Accumulation::kReadAndWrite;
  double batch = 512.0;
  BatchPer batch_per = BatchPer::kAll;
  chip::Precision precision = chip::Precision::kFp16;
  std::uint32_t devices = 0;  // the first so many of the platform; 0: all
  Bytes bucket{0.0};          // weight gradients are summed together until there are so many bytes
  RecurrentSync recurrent_sync = RecurrentSync::kEveryStep;
  GradientSync gradient_sync = GradientSync::kOverlapped;
  ModelParallelInput model_parallel_input = ModelParallelInput::kSlice;
  PartialSum partial_sum = PartialSum::kAllReduce;
  // kTensor: what all would do alike, norms, dropout and shortcuts, each does for its steps of the
  // sequence (Korthikanti et al., Reducing Activation Recomputation, 2022).
  bool sequence_parallel = false;
  // What of a replica's weights has its part of on each of them: 0 nothing, 1 updates and what
  // these keep (Rajbhandari et al., ZeRO, 2020).
  std::uint32_t zero = 0;

  bool operator==(const Strategy&) const = default;
};

const Schema<Strategy>& schema_of(const Strategy*);

// A text in the notation of Ardalani et al. (DeepFlow, section 3.3), "RC-4-2-d3-p2" or
// "CR-8-d16-p1", also "d64", "tensor-8-d2-p1", "model-8-d2-p1", "one_weird_trick-8-d2-p1",
// "hybrid-8-d2-p1"; -d and -p may be left out. Or a map, of which `spread` may be such a text.
// Throws ConfigError.
Strategy read_strategy(const Config& config);

// The same notation, nothing left out.
std::string notation(const Strategy& strategy, const Mesh& mesh);

// Infeasible if the sizes of the axes do not make up `devices`.
Feasible<Mesh> make_mesh(const Strategy& strategy, std::uint32_t devices);

// How a parallelism is written in it: "RC-K1-K2-dD-pP".
std::string_view notation_form(Parallelism parallelism);

// What results call it: "data", "model", or in the notation if there are several axes.
std::string name_of(const Strategy& strategy, const Mesh& mesh);

// The samples of a step, of all devices together.
double total_batch(const Strategy& strategy, std::uint32_t devices);

// Why its samples cannot be spread evenly over replicas and micro-batches, at the key `limit`.
std::optional<Infeasible> check_batch(const Strategy& strategy, const Mesh& mesh);

// Those of a micro-batch; rounded up where they do not divide.
double micro_batch(const Strategy& strategy, std::uint32_t devices);

}  // namespace cairn::plan

template <>
struct cairn::EnumNames<cairn::plan::Parallelism> {
  using E = cairn::plan::Parallelism;
  static constexpr std::array<EnumName<E>, 7> kNames{{{E::kData, "data"},
                                                      {E::kModel, "model"},
                                                      {E::kOneWeirdTrick, "one_weird_trick"},
                                                      {E::kHybrid, "hybrid"},
                                                      {E::kRowColumn, "row_column"},
                                                      {E::kColumnRow, "column_row"},
                                                      {E::kTensor, "tensor"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::Resharding> {
  using E = cairn::plan::Resharding;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kAllToAll, "all_to_all"}, {E::kGather, "gather"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::PipelineOrder> {
  using E = cairn::plan::PipelineOrder;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kOneForwardOneBackward, "1f1b"}, {E::kAllForwardFirst, "gpipe"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::BatchPer> {
  using E = cairn::plan::BatchPer;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kDevice, "device"}, {E::kAll, "all"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::RecurrentSync> {
  using E = cairn::plan::RecurrentSync;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kEveryStep, "every_step"}, {E::kOnce, "once"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::GradientSync> {
  using E = cairn::plan::GradientSync;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kOverlapped, "overlapped"}, {E::kBlocking, "blocking"}, {E::kUnshared, "unshared"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::SendGradients> {
  using E = cairn::plan::SendGradients;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kAtEnd, "at_end"}, {E::kAsMade, "as_made"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::CutAt> {
  using E = cairn::plan::CutAt;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kBlocks, "blocks"}, {E::kLayers, "layers"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::ModelParallelInput> {
  using E = cairn::plan::ModelParallelInput;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kSlice, "slice"}, {E::kGathered, "gathered"}, {E::kRegather, "regather"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::PartialSum> {
  using E = cairn::plan::PartialSum;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kAllReduce, "all_reduce"}, {E::kReduceScatter, "reduce_scatter"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::Accumulation> {
  using E = cairn::plan::Accumulation;
  static constexpr std::array<EnumName<E>, 3> kNames{{{E::kReadAndWrite, "read_and_write"},
                                                      {E::kWriteOnly, "write_only"},
                                                      {E::kOwnKernel, "own_kernel"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::WeightCopies> {
  using E = cairn::plan::WeightCopies;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kKept, "kept"}, {E::kAgain, "again"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::InnerGradient> {
  using E = cairn::plan::InnerGradient;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kRows, "rows"}, {E::kSamples, "samples"}}};
};
