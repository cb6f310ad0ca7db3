// How training is parallelized across devices.
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
#include "cairn/plan/assumptions.hpp"
#include "cairn/plan/mesh.hpp"

namespace cairn::plan {

enum class Parallelism : std::uint8_t {
  kData,           // every device has all weights and its own samples
  kModel,          // every device has all samples and its own output channels of each layer
  kOneWeirdTrick,  // convolutions data-parallel, fully connected layers model-parallel
                   // (Krizhevsky 2014)
  kHybrid,         // embedding tables model-parallel, all else data-parallel (Naumov et al. 2019)
  kRowColumn,      // the result of each GEMM in shards of rows and of columns
  kColumnRow,      // the inner dimension of each GEMM in shards; partial sums are reduced
  kTensor,         // pairs of a column-parallel and a row-parallel layer (Shoeybi et al.,
                   // Megatron-LM, 2019)
};

// A one-line description.
std::string_view describe(Parallelism parallelism);

enum class BatchPer : std::uint8_t { kDevice, kAll };

// How weight gradients are reduced across devices.
enum class GradientSync : std::uint8_t {
  kOverlapped,      // overlapped with kernels, one after the other
  kBlocking,        // the next kernel waits; in a pipeline, after a stage's last backward pass
  kContentionFree,  // all at once, each with all links to itself: an idealization of some models
};

// When the data gradient of a pipeline stage leaves for the stage before it.
enum class SendGradients : std::uint8_t {
  kAtEnd,   // after the stage's whole backward pass of the micro-batch, as autograd does
  kAsMade,  // as soon as it is computed, overlapped with the stage's last weight gradients
};

// Where a pipeline may be cut into stages.
enum class CutAt : std::uint8_t {
  kBlocks,  // at boundaries of repeated blocks; elsewhere between layers
  kLayers,  // between any two layers
};

// Memory traffic of accumulating weight gradients over steps and micro-batches.
enum class Accumulation : std::uint8_t {
  kReadAndWrite,  // the GEMM reads and writes the sum
  kWriteOnly,     // the GEMM only writes, as if memory accumulated
  kOwnKernel,     // the GEMM writes dW; a separate kernel adds it to the sum
};

// The order of micro-batches in a pipeline stage.
enum class PipelineOrder : std::uint8_t {
  kOneForwardOneBackward,  // 1F1B (PipeDream-flush); with several virtual stages, interleaved
                           // (Narayanan et al. 2021)
  kAllForwardFirst,        // GPipe (Huang et al. 2019)
};

inline constexpr double kMaxSamples = 1e9;
inline constexpr std::uint32_t kMaxMicroBatches = 4096;
inline constexpr std::uint32_t kMaxVirtualStages = 1024;

struct Strategy {
  Parallelism parallelism = Parallelism::kData;
  // Sizes of the axes. 0: data (with model parallelism, tensor_rows) takes the remaining devices,
  // others are 1.
  std::uint32_t tensor_rows = 0;
  std::uint32_t tensor_columns = 0;
  std::uint32_t data = 0;
  std::uint32_t stages = 1;
  std::uint32_t virtual_stages = 1;  // of each stage
  std::uint32_t micro_batches = 1;
  PipelineOrder pipeline = PipelineOrder::kOneForwardOneBackward;
  std::vector<std::string> cuts{};  // the first operator of each virtual stage but the first
  CutAt cut_at = CutAt::kBlocks;    // where stages may begin without `cuts`
  SendGradients send_gradients = SendGradients::kAtEnd;
  // Axes, the one whose shards become neighbours first; or the device of every shard. Both empty:
  // the order with the lowest communication time.
  std::vector<Axis> order{};
  std::vector<std::uint32_t> placement{};
  Accumulation accumulation = Accumulation::kReadAndWrite;
  double batch = 512.0;
  BatchPer batch_per = BatchPer::kAll;
  chip::Precision precision = chip::Precision::kFp16;
  std::uint32_t devices = 0;  // number of devices of the platform, in rank order; 0: all
  Bytes bucket{0.0};          // minimum bytes of weight gradients that are all-reduced together
  GradientSync gradient_sync = GradientSync::kOverlapped;
  // kTensor: norms, dropout and residual connections, otherwise replicated, are partitioned along
  // the sequence (Korthikanti et al., Reducing Activation Recomputation, 2022).
  bool sequence_parallel = false;
  // ZeRO stage (Rajbhandari et al. 2020): 0 none, 1 updates and optimizer states are sharded across
  // replicas.
  std::uint32_t zero = 0;
  Assumptions assumptions{};

  bool operator==(const Strategy&) const = default;
};

const Schema<Strategy>& schema_of(const Strategy*);

// A text with the sizes of axes, "tp8-pp4-vp2-dp16" (dp left out: the remaining devices), or in the
// notation of Ardalani et al. (DeepFlow, section 3.3), "RC-4-2-d3-p2" or
// "CR-8-d16-p1", also "d64", "tensor-8-d2-p1", "model-8-d2-p1", "one_weird_trick-8-d2-p1",
// "hybrid-8-d2-p1"; -d and -p are optional. Or a map, whose `spread` may be such a text. Throws
// ConfigError.
Strategy read_strategy(const Config& config);

// The complete notation.
std::string notation(const Strategy& strategy, const Mesh& mesh);

// Infeasible if the sizes of the axes do not multiply to `devices`.
Feasible<Mesh> make_mesh(const Strategy& strategy, std::uint32_t devices);

// The form of a parallelism in this notation: "RC-K1-K2-dD-pP".
std::string_view notation_form(Parallelism parallelism);

// The name in results: "data", "model", or the notation if there are several axes.
std::string name_of(const Strategy& strategy, const Mesh& mesh);

// Samples of a step, all devices together.
double total_batch(const Strategy& strategy, std::uint32_t devices);

// Infeasible if the samples do not divide evenly over replicas and micro-batches.
std::optional<Infeasible> check_batch(const Strategy& strategy, const Mesh& mesh);

// Samples of a micro-batch, rounded up.
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
struct cairn::EnumNames<cairn::plan::GradientSync> {
  using E = cairn::plan::GradientSync;
  static constexpr std::array<EnumName<E>, 3> kNames{{{E::kOverlapped, "overlapped"},
                                                      {E::kBlocking, "blocking"},
                                                      {E::kContentionFree, "contention_free"}}};
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
struct cairn::EnumNames<cairn::plan::Accumulation> {
  using E = cairn::plan::Accumulation;
  static constexpr std::array<EnumName<E>, 3> kNames{{{E::kReadAndWrite, "read_and_write"},
                                                      {E::kWriteOnly, "write_only"},
                                                      {E::kOwnKernel, "own_kernel"}}};
};
