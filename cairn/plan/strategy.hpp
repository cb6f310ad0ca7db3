// How training is spread over devices.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/precision.hpp"

namespace cairn::plan {

enum class Parallelism : std::uint8_t {
  kData,           // every device has all weights and its own samples
  kModel,          // every device has all samples and its own output channels of each layer
  kOneWeirdTrick,  // convolutions by data, fully connected layers by model (Krizhevsky 2014)
};

// In one line.
std::string_view describe(Parallelism parallelism);

enum class BatchPer : std::uint8_t { kDevice, kAll };

// When the weight gradient of a recurrent layer is summed over devices.
enum class RecurrentSync : std::uint8_t { kEveryStep, kOnce };

// Whether the next kernel waits for a weight gradient that is summed over devices.
enum class GradientSync : std::uint8_t { kOverlapped, kBlocking };

// Model-parallel: what of a layer's input is there for its weight gradient. The weight gradient of
// some output channels needs all input channels, of which a device made only its own.
enum class ModelParallelInput : std::uint8_t {
  kSlice,     // its own channels; that the others must be fetched again is not counted
  kGathered,  // all channels, kept since the forward pass
  kRegather,  // its own channels; the others are gathered again
};

// Model-parallel: how partial sums of dX become the channels that a device goes on with.
enum class PartialSum : std::uint8_t { kAllReduce, kReduceScatter };

struct Strategy {
  Parallelism parallelism = Parallelism::kData;
  double batch = 512.0;
  BatchPer batch_per = BatchPer::kAll;
  chip::Precision precision = chip::Precision::kFp16;
  std::uint32_t devices = 0;  // the first so many of the platform; 0: all
  Bytes bucket{0.0};          // weight gradients are summed together until there are so many bytes
  RecurrentSync recurrent_sync = RecurrentSync::kEveryStep;
  GradientSync gradient_sync = GradientSync::kOverlapped;
  ModelParallelInput model_parallel_input = ModelParallelInput::kSlice;
  PartialSum partial_sum = PartialSum::kAllReduce;
};

const Schema<Strategy>& schema_of(const Strategy*);

}  // namespace cairn::plan

template <>
struct cairn::EnumNames<cairn::plan::Parallelism> {
  using E = cairn::plan::Parallelism;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kData, "data"}, {E::kModel, "model"}, {E::kOneWeirdTrick, "one_weird_trick"}}};
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
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kOverlapped, "overlapped"}, {E::kBlocking, "blocking"}}};
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
