// The matrix units of a core: cycles of a tile, and register accesses.
#pragma once

#include "cairn/chip/device.hpp"

namespace cairn::kernel {

// A unit processes rows x columns of two dimensions of a GEMM and a depth of the third per cycle.
// The dataflow says which: output-stationary m x n with depth k; weight-stationary k x n with depth
// m; activation-stationary m x k with depth n.
class MatrixUnit {
 public:
  MatrixUnit(const chip::Device& device, chip::Precision precision);

  // Cycles of a core for r x c outputs and k steps. Units of a core hold different stationary
  // operands, so that output-stationary
  //   cycles = ceil(ceil(r / rows) ceil(c / columns) / units) ceil(k / depth)
  [[nodiscard]] double cycles(double r, double c, double k) const;

  // Tile sides should be multiples of these.
  [[nodiscard]] double row_step() const;
  [[nodiscard]] double column_step() const;

  // Eq. 5 of the CrossFlow paper, per MAC: elements that a unit of Nx x Ny reads and writes, with
  // reuse K of the stationary operand,
  //   (Nx Ny + K Nx + K Ny) / (K Nx Ny)
  // K is a side of the unit's part of the tile (r x c outputs, k steps) over that of the unit.
  [[nodiscard]] double accesses_per_mac(double r, double c, double k) const;

 private:
  chip::Dataflow dataflow_;
  double units_;
  double rows_;
  double columns_;
  double depth_;
};

}  // namespace cairn::kernel
