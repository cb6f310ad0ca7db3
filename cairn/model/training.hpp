// How a model is trained, whatever on: what its weights are updated by, and what the backward pass
// computes again instead of keeping it.
#pragma once

#include <array>
#include <cstdint>

#include "cairn/base/schema.hpp"

namespace cairn::model {

enum class Optimizer : std::uint8_t {
  kSgd,   // w -= rate dW
  kAdam,  // with moving averages of dW and of its square, in fp32 (Kingma and Ba 2015)
  kFree,  // weights change, and nobody asks what that takes: as models do that count dW only
};

// When weights are updated, where another step follows.
enum class Updates : std::uint8_t {
  kAtEnd,      // of the step that made their gradients: the next waits for all of them
  kBeforeUse,  // before the operator of the next step that reads the weight
};

// Feature maps that the backward pass reads.
enum class Checkpoints : std::uint8_t {
  kNone,    // all are kept
  kBlocks,  // of each block of layers, only what it reads is; the rest is made again (Chen et al.,
            // Training Deep Nets with Sublinear Memory Cost, 2016)
  kSelective,  // of stored scores of attention, nothing is kept (Korthikanti et al., Reducing
               // Activation Recomputation in Large Transformer Models, 2022)
};

// When tables are looked up, and the rows that were are updated.
enum class Tables : std::uint8_t {
  kInTurn,      // before the layers that read them, and after the last gradient
  kBackground,  // beside all other kernels: for the next step, and by the gradients of the one
                // before
};

struct Training {
  Optimizer optimizer = Optimizer::kSgd;
  // Weights are updated in fp32, and rounded to the precision that is trained in (Micikevicius et
  // al., Mixed Precision Training, 2018).
  bool master_weights = false;
  Updates updates = Updates::kAtEnd;
  bool fp32_gradients = false;  // of weights: added up, and summed over devices, in fp32
  Checkpoints checkpoints = Checkpoints::kNone;
  Tables tables = Tables::kInTurn;

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
      {{E::kInTurn, "in_turn"}, {E::kBackground, "background"}}};
};
