// How a device's figures were fitted to measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct CalibratedParameter {
  std::string key{};     // device key: "memory.utilization"
  std::string value{};   // as written in the device file
  double spread = 0.0;   // relative standard error of the fit
  std::string fitted{};  // kinds of measurements it was fitted to: "memory_bound"
};

const Schema<CalibratedParameter>& schema_of(const CalibratedParameter*);

// Errors are means of |predicted / measured - 1|.
struct CalibratedKind {
  std::string kind{};     // "gemm"
  double cases = 0.0;     // number of cases fitted
  double error = 0.0;     // mean error of the fitted cases
  double held_out = 0.0;  // number of held-out cases
  double held_out_error = 0.0;
};

const Schema<CalibratedKind>& schema_of(const CalibratedKind*);

struct Calibration {
  std::string on{};  // source of the measurements
  // Mean error of all held-out kernels: the error bar of a prediction. Empty if none were held out.
  std::optional<double> error{};
  std::vector<CalibratedKind> kinds{};
  std::vector<CalibratedParameter> parameters{};
  // Device keys changed since the calibration: the errors above may no longer hold.
  std::vector<std::string> changed{};
};

const Schema<Calibration>& schema_of(const Calibration*);

}  // namespace cairn::chip
