// A compute unit: the smallest compute component of a chip, from one scalar unit to a systolic
// array of Nx x Ny multipliers (Table 2 of the CrossFlow paper, "Compute").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/tech/supply.hpp"
#include "cairn/tech/units.hpp"

namespace cairn::tech {

struct ComputeUnit {
  std::string description{};
  std::string source{};
  Metres node{};
  SquareMetres area{};
  Watts power{};           // at nominal voltage and frequency
  Flops work_per_cycle{};  // of operations of `precision`
  std::string precision = "fp16";
  Hertz frequency{};  // at nominal voltage
  Supply voltage{};
  std::uint32_t rows = 1;                         // Nx: operands entering from one side
  std::uint32_t columns = 1;                      // Ny: operands entering from the other side
  double utilization = 1.0;                       // maximum after software overhead, fill and drain
  std::optional<DollarsPerArea> cost_per_area{};  // of silicon at this node

  // At nominal voltage; proportional to the square of the voltage.
  [[nodiscard]] JoulesPerFlop energy_per_flop() const {
    return power / (work_per_cycle * frequency);
  }
};

const Schema<ComputeUnit>& schema_of(const ComputeUnit*);

}  // namespace cairn::tech
