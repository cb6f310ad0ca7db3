// Memory on the die, in banks (Table 2 of the CrossFlow paper, "On-chip Memory").
#pragma once

#include <array>
#include <string>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/tech/units.hpp"

namespace cairn::tech {

enum class CellKind { kSram, kMram, kRram };

struct OnChipMemory {
  std::string description{};
  std::string source{};
  CellKind cell = CellKind::kSram;
  Metres node{};
  Bytes bank_capacity{};
  JoulesPerByte energy{};          // per byte read or written
  WattsPerByte static_power{};     // per byte stored
  AreaPerByte area{};              // of the cells
  double overhead = 0.0;           // part of the area outside the cells: decoders, sense amplifiers
  SquareMetres controller_area{};  // of one crossbar link; each bank has one to each bundle
  Watts controller_power{};        // of one bank
  Seconds latency{};
  double utilization = 1.0;  // maximum part of the bandwidth
};

const Schema<OnChipMemory>& schema_of(const OnChipMemory*);

}  // namespace cairn::tech

namespace cairn {

template <>
struct EnumNames<tech::CellKind> {
  static constexpr std::array<EnumName<tech::CellKind>, 3> kNames{
      {{tech::CellKind::kSram, "sram"},
       {tech::CellKind::kMram, "mram"},
       {tech::CellKind::kRram, "rram"}}};
};

}  // namespace cairn
