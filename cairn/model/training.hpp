// How a model is trained, independent of hardware: optimizer and activation recomputation.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"

namespace cairn::model {

enum class Optimizer : std::uint8_t {
  kSgd,   // w -= rate dW
  kAdam,  // with moving averages of dW and of its square, in fp32 (Kingma and Ba 2015)
  kFree,  // updates cost nothing, as in models that count dW only
};

// When weights are updated, if another step follows.
enum class Updates : std::uint8_t {
  kAtEnd,      // at the end of the step: the next step waits for all updates
  kBeforeUse,  // before the operator of the next step that reads the weight
};

// Activation recomputation.
enum class Checkpoints : std::uint8_t {
  kNone,    // all activations are saved
  kBlocks,  // only the input of each block is saved; the rest is recomputed (Chen et al., Training
            // Deep Nets with Sublinear Memory Cost, 2016)
  kSelective,  // only stored attention scores are recomputed (Korthikanti et al., Reducing
               // Activation Recomputation in Large Transformer Models, 2022)
};

// When embedding tables are looked up and updated.
enum class Tables : std::uint8_t {
  kSequential,  // looked up before the layers that read them, updated after the last gradient
  kBackground,  // concurrently with all other kernels: looked up for the next step, updated by the
                // gradients of the previous step
};

struct Training {
  Optimizer optimizer = Optimizer::kSgd;
  // Weights are updated in fp32 and rounded to the training precision (Micikevicius et al., Mixed
  // Precision Training, 2018).
  bool master_weights = false;
  Updates updates = Updates::kAtEnd;
  bool fp32_gradients = false;  // weight gradients are accumulated and all-reduced in fp32
  Checkpoints checkpoints = Checkpoints::kNone;
  Tables tables = Tables::kSequential;

  bool operator==(const Training&) const = default;
};

const Schema<Training>& schema_of(const Training*);

}  // namespace cairn::model

template <>
struct cairn::EnumNames<cairn::model::Optimizer> {
  using E = cairn::model::Optimizer;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kSgd, "sgd"}, {E::kAdam, "adam"}, {E::kFree, "free"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Updates> {
  using E = cairn::model::Updates;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kAtEnd, "at_end"}, {E::kBeforeUse, "before_use"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Checkpoints> {
  using E = cairn::model::Checkpoints;
  static constexpr std::array<EnumName<E>, 3> kNames{
      {{E::kNone, "none"}, {E::kBlocks, "blocks"}, {E::kSelective, "selective"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Tables> {
  using E = cairn::model::Tables;
  static constexpr std::array<EnumName<E>, 2> kNames{
      {{E::kSequential, "in_turn"}, {E::kBackground, "background"}}};
};
