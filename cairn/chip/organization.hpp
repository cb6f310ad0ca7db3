// How the parts of a chip are organized: how data moves in a compute unit, who reaches a memory,
// what a network looks like.
#pragma once

#include <array>

#include "cairn/base/config_reader.hpp"

namespace cairn::chip {

// The operand that stays in a compute unit while the others pass; kBest is chosen for each kernel,
// kNone reuses nothing.
enum class Dataflow {
  kNone,
  kBest,
  kWeightStationary,
  kActivationStationary,
  kOutputStationary,
};

// Who shares one part of a memory level.
enum class Scope { kMcu, kBundle, kGlobal };

enum class NetworkShape { kSwitch, kRing, kMesh, kTorus };

// Over how many neighbours a chip divides its links.
double neighbours(NetworkShape shape);

}  // namespace cairn::chip

namespace cairn {

template <>
struct EnumNames<chip::Dataflow> {
  static constexpr std::array<EnumName<chip::Dataflow>, 5> kNames{
      {{chip::Dataflow::kNone, "none"},
       {chip::Dataflow::kBest, "best"},
       {chip::Dataflow::kWeightStationary, "weight"},
       {chip::Dataflow::kActivationStationary, "activation"},
       {chip::Dataflow::kOutputStationary, "output"}}};
};

template <>
struct EnumNames<chip::Scope> {
  static constexpr std::array<EnumName<chip::Scope>, 3> kNames{{{chip::Scope::kMcu, "mcu"},
                                                                {chip::Scope::kBundle, "bundle"},
                                                                {chip::Scope::kGlobal, "global"}}};
};

template <>
struct EnumNames<chip::NetworkShape> {
  static constexpr std::array<EnumName<chip::NetworkShape>, 4> kNames{
      {{chip::NetworkShape::kSwitch, "switch"},
       {chip::NetworkShape::kRing, "ring"},
       {chip::NetworkShape::kMesh, "mesh"},
       {chip::NetworkShape::kTorus, "torus"}}};
};

}  // namespace cairn
