// Fits the parameters of a device to the rows that are not held out.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cairn/chip/device.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/parameters.hpp"

namespace cairn::validate {

struct FittedParameter {
  FitParameter parameter{};
  double before = 0.0;
  double after = 0.0;
  double spread = 0.0;     // relative standard error
  bool determined = true;  // false: the rows do not determine it, and it keeps its value

  [[nodiscard]] const std::string& key() const { return parameter.key; }
};

// Empty if no table has fitted rows. `tick` is called for each prediction of a table.
std::vector<FittedParameter> fitted_parameters(std::span<const MeasuredTable* const> tables,
                                               const chip::Device& device,
                                               const std::function<void()>& tick);

}  // namespace cairn::validate
