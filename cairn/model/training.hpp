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
};

// Feature maps that the backward pass reads.
enum class Checkpoints : std::uint8_t {
  kNone,    // all are kept
  kBlocks,  // of each block of layers, only what it reads is; the rest is made again (Chen et al.,
            // Training Deep Nets with Sublinear Memory Cost, 2016)
};

struct Training {
  Optimizer optimizer = Optimizer::kSgd;
  // Weights are updated in fp32, and rounded to the precision that is trained in (Micikevicius et
  // al., Mixed Precision Training, 2018).
  bool master_weights = false;
  Checkpoints checkpoints = Checkpoints::kNone;
};

const Schema<Training>& schema_of(const Training*);

}  // namespace cairn::model

template <>
struct cairn::EnumNames<cairn::model::Optimizer> {
  using E = cairn::model::Optimizer;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kSgd, "sgd"}, {E::kAdam, "adam"}}};
};

template <>
struct cairn::EnumNames<cairn::model::Checkpoints> {
  using E = cairn::model::Checkpoints;
  static constexpr std::array<EnumName<E>, 2> kNames{{{E::kNone, "none"}, {E::kBlocks, "blocks"}}};
};
