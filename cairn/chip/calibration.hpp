// How a device's figures were fitted to measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/schema.hpp"

namespace cairn::chip {

struct CalibratedParameter {
  std::string key{};     // of the device: "memory.utilization"
  std::string value{};   // as written there
  double spread = 0.0;   // of the value, relative: one standard error of the fit
  std::string fitted{};  // what its error is measured on: "memory_bound"
};

const Schema<CalibratedParameter>& schema_of(const CalibratedParameter*);

// Errors are means of |predicted / measured - 1|.
struct CalibratedKind {
  std::string kind{};     // "gemm"
  double cases = 0.0;     // fitted on
  double error = 0.0;     // of these
  double held_out = 0.0;  // cases that were not
  double held_out_error = 0.0;
};

const Schema<CalibratedKind>& schema_of(const CalibratedKind*);

struct Calibration {
  std::string on{};  // whose measurements
  // Mean, of all kernels that were held out: the error bar of a prediction. Nothing if none were.
  std::optional<double> error{};
  std::vector<CalibratedKind> kinds{};
  std::vector<CalibratedParameter> parameters{};
  // Keys of the device that were set since: its errors may be others than those measured.
  std::vector<std::string> changed{};
};

const Schema<Calibration>& schema_of(const Calibration*);

}  // namespace cairn::chip
