// Fits the parameters of a device to the rows of tables that are not held out.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cairn/chip/device.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/parameters.hpp"

namespace cairn::validate {

struct FittedParameter {
  Parameter parameter{};
  double before = 0.0;
  double after = 0.0;
  double spread = 0.0;  // relative
  bool told = true;     // else the measurements do not tell it, and it stays as it was

  [[nodiscard]] const std::string& key() const { return parameter.key; }
};

// A case whose shape is held out: every third, in the order of the file.
std::vector<bool> held_out(const Comparison& comparison);

// Nothing where the tables have no rows that are fitted. `tick` is called for each prediction of a
// table.
std::vector<FittedParameter> fitted_parameters(std::span<const MeasuredTable* const> tables,
                                               const chip::Device& device,
                                               const std::function<void()>& tick);

}  // namespace cairn::validate
