// What papers leave unsaid about parallel training. Frameworks of today do one thing; the section
// `assumptions` of a design is for those who reproduce a paper.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"

namespace cairn::plan {

// When the weight gradient of a recurrent layer is reduced across devices.
enum class RecurrentSync : std::uint8_t { kEveryStep, kOnce };

// Model parallelism: the part of a layer's input that is saved for its weight gradient. The weight
// gradient of some output channels needs all input channels, of which a device computed only its
// own.
enum class ModelParallelInput : std::uint8_t {
  kSlice,     // its own channels; gathering the others again is not counted
  kGathered,  // all channels, saved since the forward pass
  kRegather,  // its own channels; the others are gathered again
};

// Model parallelism: how partial sums of dX are reduced to a device's channels.
enum class PartialSum : std::uint8_t { kAllReduce, kReduceScatter };

// How a tensor is resharded from samples to channels, or back.
enum class Resharding : std::uint8_t {
  kAllToAll,  // each device receives its part
  kGather,    // each device receives everything and slices its part
};

// column_row: the part of a weight gradient that a shard computes.
enum class InnerGradient : std::uint8_t {
  kRows,     // its own rows of the weight
  kSamples,  // all of it, from its part of the samples; the results are reduced
};

// Weights that were resharded for the backward pass.
enum class WeightCopies : std::uint8_t {
  kKept,   // cached for other steps and micro-batches
  kAgain,  // resharded for each use; no memory in between
};

struct Assumptions {
  Resharding resharding = Resharding::kAllToAll;
  InnerGradient inner_gradient = InnerGradient::kRows;
  WeightCopies weight_copies = WeightCopies::kKept;
  RecurrentSync recurrent_sync = RecurrentSync::kEveryStep;
  ModelParallelInput model_parallel_input = ModelParallelInput::kSlice;
  PartialSum partial_sum = PartialSum::kAllReduce;

  bool operator==(const Assumptions&) const = default;
};

const Schema<Assumptions>& schema_of(const Assumptions*);

}  // namespace cairn::plan

template <>
struct cairn::EnumNames<cairn::plan::Resharding> {
  using E = cairn::plan::Resharding;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kAllToAll, "all_to_all"}, {E::kGather, "gather"}}};
};

template <>
struct cairn::EnumNames<cairn::plan::RecurrentSync> {
  using E = cairn::plan::RecurrentSync;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kEveryStep, "every_step"}, {E::kOnce, "once"}}};
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
