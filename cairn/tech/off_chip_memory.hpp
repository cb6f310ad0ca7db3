// Memory outside the die, per device: a stack, a chip, a DIMM (Table 2 of the CrossFlow paper,
// "Off-chip Memory").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/tech/supply.hpp"
#include "cairn/tech/units.hpp"

namespace cairn::tech {

struct OffChipMemory {
  std::string description{};
  std::string source{};
  Bytes capacity{};                // of one device
  SquareMetres area{};             // of one device in the package
  std::uint32_t links = 0;         // data wires of one device
  BytesPerSecond rate{};           // of one link at nominal voltage
  JoulesPerByte energy{};          // per byte read or written, at nominal voltage
  WattsPerByte static_power{};     // per byte stored: refresh
  SquareMetres controller_area{};  // on the die, per device: controller and I/O
  PerMetre links_per_length{};     // per length of the die's edge
  Supply voltage{};
  Seconds latency{};
  double utilization = 1.0;       // maximum part of the bandwidth
  std::optional<Dollars> cost{};  // of one device
};

const Schema<OffChipMemory>& schema_of(const OffChipMemory*);

}  // namespace cairn::tech
