// Fits figures of a device that data sheets lack to measurements, and reports the errors on
// held-out measurements.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/validate/comparison.hpp"
#include "cairn/validate/fitting.hpp"

namespace cairn::validate {

// Errors before and after calibration.
struct Change {
  Errors before{};
  Errors after{};
};

struct FittedKind {
  std::string kind{};
  bool fitted = true;  // false: all rows are held out
  Change on{};         // fitted rows
  Change held_out{};   // held-out rows
};

struct Calibrated {
  chip::Device device{};
  std::vector<FittedParameter> parameters{};
  std::vector<FittedKind> kinds{};
  std::optional<double> error{};  // mean over all held-out kernels
};

// Kinds that are not `fitted` are only compared. `on` names the measurements. `tick` is called for
// each prediction of a table.
Calibrated calibrate(std::span<const MeasuredTable* const> tables,
                     const chip::Device& device,
                     const std::string& on,
                     const std::function<void()>& tick);

}  // namespace cairn::validate
