// Fits the figures of a device that data sheets don't give to measurements, and says how well that
// did on measurements that were held out.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/validate/comparison.hpp"
#include "cairn/validate/fitting.hpp"

namespace cairn::validate {

// Before and after.
struct Change {
  Errors before{};
  Errors after{};
};

struct FittedKind {
  std::string kind{};
  bool fitted = true;  // else all of it is a test
  Change on{};         // what was fitted
  Change held_out{};   // what was not
};

struct Calibrated {
  chip::Device device{};
  std::vector<FittedParameter> parameters{};
  std::vector<FittedKind> kinds{};
  std::optional<double> error{};  // mean, over all kernels that were held out
};

// Kinds that are not `fitted` are compared only. `tick` is called for each prediction of a table.
Calibrated calibrate(std::span<const MeasuredTable* const> tables,
                     const chip::Device& device,
                     const std::string& on,
                     const std::function<void()>& tick);

}  // namespace cairn::validate
