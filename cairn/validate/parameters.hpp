// Figures of a device that data sheets don't give, and that measurements are fitted by.
#pragma once

#include <functional>
#include <optional>
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
  // About what other devices have, from which a search begins where the device has no figure.
  double typical = 0.0;
  std::optional<double> neutral{};  // that stands for no figure; nothing: there is always one
  std::function<double(const chip::Device&)> get{};
  std::function<void(chip::Device&, double)> set{};

  // Whether the device has a figure for it.
  [[nodiscard]] bool stated(const chip::Device& device) const { return get(device) != neutral; }
};

// All that data sheets do not give of what the device has: of its cores, its memories, its tiles,
// its host, of each kernel what commonly bounds such kernels, and what else it has a figure for.
std::vector<Parameter> parameters_of(const chip::Device& device);

// Kinds of measurements that have kernels of an operator.
std::vector<std::string> kinds_with(chip::LibraryOperator op);

// Whether kernels of an operator have figures of their own.
bool has_figures(chip::LibraryOperator op);

// Of the outermost level of a device.
double typical_per_cycle(const chip::Device& device);

// "1.23 us", as a file has it.
std::string written(const Parameter& parameter, double value);

}  // namespace cairn::validate
