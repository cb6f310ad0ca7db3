// What a little more of each number of a design buys.
//
// The elasticity of the step time T to a number p is  d ln T / d ln p,  by central differences:
// with a factor f near 1,  ln(T(p f) / T(p / f)) / (2 ln f).  -1: 1 % more makes steps 1 % shorter.
// Where a step of the design lies between (a tile that just fits), more and less differ: both are
// said.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/design.hpp"

namespace cairn::explore {

// A number of a design, with its unit: "device.memory.bandwidth", "900 GB/s".
struct Parameter {
  std::string key{};
  std::string value{};
};

// All of the device, its chip and that one's technologies, of the platform and of the endpoint,
// also where these are only named.
std::vector<Parameter> parameters_of(const Config& design, const DataFolders& folders);

struct Effect {
  Parameter parameter{};
  std::string changed_to{};
  double elasticity = 0.0;
  double ratio = 1.0;       // of step times, changed over as it is
  double less_ratio = 1.0;  // the same, divided by the factor; 1 if only one way was looked
  std::string relieves{};   // what of the step changes most
};

struct Sensitivity {
  Seconds step_time{0.0};  // as it is
  std::string bound_by{};
  std::vector<Effect> effects{};           // of more, the largest first
  std::vector<Parameter> cannot_change{};  // by this factor: whole numbers, or at a limit
};

struct SensitivityOptions {
  double factor = 1.01;
  // The number is multiplied by the factor, and not also divided: a change that is not small.
  bool one_way = false;
  std::size_t threads = 0;           // 0: as many as there are cores
  std::function<void()> one_done{};  // after each parameter, from any thread
};

// Infeasible if the design is.
Feasible<Sensitivity> sensitivity(const Config& design,
                                  const std::vector<Parameter>& parameters,
                                  const DataFolders& folders,
                                  const SensitivityOptions& options = {});

}  // namespace cairn::explore
