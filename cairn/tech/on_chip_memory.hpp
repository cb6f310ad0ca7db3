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
  JoulesPerByte energy{};          // to read or write
  WattsPerByte static_power{};     // while it holds data
  AreaPerByte area{};              // of its cells
  double overhead = 0.0;           // part of the area that is not cells: decoders, sense amplifiers
  SquareMetres controller_area{};  // of one crossbar link; each bank has one to each bundle
  Watts controller_power{};        // of one bank
  Seconds latency{};
  double utilization = 1.0;  // the most of the bandwidth that is used
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
