// The organization of a chip: dataflow of its compute units, scope of its memories, shape of its
// networks.
#pragma once

#include <array>

#include "cairn/base/config_reader.hpp"

namespace cairn::chip {

// The stationary operand of a compute unit; kBest is chosen per kernel, kNone reuses nothing.
enum class Dataflow {
  kNone,
  kBest,
  kWeightStationary,
  kActivationStationary,
  kOutputStationary,
};

// The owner of one instance of a memory level: an MCU, a bundle (core), or the whole chip.
enum class Scope { kMcu, kBundle, kGlobal };

enum class NetworkShape { kSwitch, kRing, kMesh, kTorus };

// Number of neighbours among which a chip divides its links.
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
