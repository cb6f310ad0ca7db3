// The matrix units of a core: how long they take for a tile, and how often they go to registers.
#pragma once

#include "cairn/chip/device.hpp"

namespace cairn::kernel {

// A unit takes rows x columns of two dimensions of a product at a time, and a depth of the third,
// in one cycle. Which dimensions these are is the dataflow: with outputs that stay, rows x columns
// outputs and a depth of the sum; with weights that stay, rows of the sum by columns of the output,
// and a depth of its rows; with activations that stay, rows of the output by columns of the sum.
class MatrixUnit {
 public:
  MatrixUnit(const chip::Device& device, chip::Precision precision);

  // Of a core, for r x c outputs that are sums of k products. Units of a core work on different
  // operands that stay, so that with outputs that stay
  //   cycles = ceil(ceil(r / rows) ceil(c / columns) / units) ceil(k / depth)
  [[nodiscard]] double cycles(double r, double c, double k) const;

  // What a tile's sides should be multiples of.
  [[nodiscard]] double row_step() const;
  [[nodiscard]] double column_step() const;

  // Eq. 5 of the CrossFlow paper, per multiply-accumulate: elements that a unit of Nx x Ny reads
  // and writes, K the times that the operand that stays is used,
  //   (Nx Ny + K Nx + K Ny) / (K Nx Ny)
  // K is a side of the unit's tile over that of the unit: of r x c outputs, sums of k.
  [[nodiscard]] double accesses_per_mac(double r, double c, double k) const;

 private:
  chip::Dataflow dataflow_;
  double units_;
  double rows_;
  double columns_;
  double depth_;
};

}  // namespace cairn::kernel
