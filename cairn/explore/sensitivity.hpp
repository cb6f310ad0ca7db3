// Sensitivity of the step time to each number of a design.
//
// The elasticity of the step time T to a number p is  d ln T / d ln p,  by central differences:
// with a factor f near 1,  ln(T(p f) / T(p / f)) / (2 ln f).  -1: +1 % makes steps 1 % shorter.
// At a discontinuity (a tile that just fits) the effects of + and - differ: both are reported.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/design.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/explain/bound.hpp"

namespace cairn::explore {

// The parameters: all numbers of the device, its chip and the chip's technologies, the platform and
// the endpoint, also where these are given by name.
std::vector<DesignValue> parameters_of(const Config& design, const DataFolders& folders);

struct Effect {
  DesignValue parameter{};
  std::string changed_to{};
  double elasticity = 0.0;
  double ratio = 1.0;       // step time, changed over unchanged
  double less_ratio = 1.0;  // the same with the number divided by the factor; 1 if one_way
  std::string relieves{};   // the part of the step that changes most
};

struct Sensitivity {
  Seconds step_time{0.0};  // unchanged design
  explain::Bound bound{};
  std::vector<Effect> effects{};             // largest first
  std::vector<DesignValue> cannot_change{};  // whole numbers, or at a limit
};

struct SensitivityOptions {
  double factor = 1.01;
  // Only multiply by the factor, do not divide: for large changes.
  bool one_way = false;
  std::size_t threads = 0;          // 0: one per core
  std::function<void()> on_done{};  // after each parameter, from any thread
};

// Infeasible if the design is.
Feasible<Sensitivity> sensitivity(const Config& design,
                                  const std::vector<DesignValue>& parameters,
                                  const DataFolders& folders,
                                  const SensitivityOptions& options = {});

}  // namespace cairn::explore
