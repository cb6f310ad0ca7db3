// Figures of a device that data sheets don't give, and that measurements are fitted by.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cairn/chip/device.hpp"

namespace cairn::validate {

struct Parameter {
  std::string key{};                 // of the device, as --set names it
  std::vector<std::string> kinds{};  // of measurements that depend on it
  double least = 0.0;                // SI
  double most = 0.0;
  std::string unit{};  // that the key is written with; none: a plain number
  double si = 1.0;     // of that unit
  std::function<double(const chip::Device&)> get{};
  std::function<void(chip::Device&, double)> set{};
};

// All that the device has a figure for which is above 0: what it does not state is not fitted.
std::vector<Parameter> parameters_of(const chip::Device& device);

// "1.23 us", as a file has it.
std::string written(const Parameter& parameter, double value);

}  // namespace cairn::validate
