// Memory beside the die, by the device: a stack, a chip, a DIMM (Table 2 of the CrossFlow paper,
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
  SquareMetres area{};             // that one device takes in the package
  std::uint32_t links = 0;         // data wires of one device
  BytesPerSecond rate{};           // of one link at nominal voltage
  JoulesPerByte energy{};          // to read or write, at nominal voltage
  WattsPerByte static_power{};     // to hold data: refresh
  SquareMetres controller_area{};  // on the die, for one device: controller and I/O
  PerMetre links_per_length{};     // that leave a length of the die's edge
  Supply voltage{};
  Seconds latency{};
  double utilization = 1.0;       // the most of the bandwidth that is used
  std::optional<Dollars> cost{};  // of one device
};

const Schema<OffChipMemory>& schema_of(const OffChipMemory*);

}  // namespace cairn::tech
