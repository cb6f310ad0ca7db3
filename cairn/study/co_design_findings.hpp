// What the four parts of a design gain: together, alone and one after the other; the Pareto front
// of step time and price.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/search/pareto.hpp"
#include "cairn/study/co_design_space.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

struct DesignDetail {
  std::string bound_by{};
  double energy = 0.0;  // J per step
};

// All combinations of choices, evaluated.
struct EvaluatedDesigns {
  Choices choices{};
  std::vector<search::Trial> trials{};            // step time and price, indexed as choices.times
  std::map<std::size_t, DesignDetail> details{};  // of feasible designs, by the same index
  std::size_t over_budget = 0;
  std::vector<Watts> device_power{};  // power budget of a device, by store
};

// Findings, tables and the figure. Precondition: the baseline is feasible.
StudyResult co_design_found(const EvaluatedDesigns& designs);

}  // namespace cairn::study
