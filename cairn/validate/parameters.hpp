// Figures of a device that data sheets lack, and that calibration fits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/chip/device.hpp"

namespace cairn::validate {

struct FitParameter {
  std::string key{};                 // of the device, in the syntax of --set
  std::vector<std::string> kinds{};  // kinds of measurements that depend on it
  double least = 0.0;                // SI
  double most = 0.0;
  std::string unit{};  // in files; empty: a plain number
  double si = 1.0;     // SI value of the unit
  // A value common to other devices: the start of the fit if the device has none.
  double typical = 0.0;
  std::optional<double> neutral{};  // the value that means unknown, if any
  std::function<double(const chip::Device&)> get{};
  std::function<void(chip::Device&, double)> set{};

  // Whether the device states a value.
  [[nodiscard]] bool stated(const chip::Device& device) const { return get(device) != neutral; }
};

// Parameters of the device's cores, memories, tiles, host and kernels that data sheets lack. For a
// kernel: the usual bounds of its operator, and all figures that the device states.
std::vector<FitParameter> parameters_of(const chip::Device& device);

// Kinds of measurements with kernels of an operator.
std::vector<std::string> kinds_with(chip::LibraryOperator op);

// Whether kernels of an operator have parameters.
bool has_figures(chip::LibraryOperator op);

// Bytes per cycle of the outermost cache level.
double typical_per_cycle(const chip::Device& device);

// "1.23 us", as in a file.
std::string written(const FitParameter& parameter, double value);

}  // namespace cairn::validate
