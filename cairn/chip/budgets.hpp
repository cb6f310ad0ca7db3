// The budgets of a chip: die area, power, die perimeter and package area. A collectives engine
// takes its area and power first; the other components get shares of the rest.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/chip/limit.hpp"
#include "cairn/chip/template.hpp"

namespace cairn::chip {

template <class Amount>
struct Budget {
  Amount given{};
  Amount used{};
};

// Budgets of a component: its share and what it uses of it.
struct Use {
  std::string component{};
  bool absent = false;  // no share of any budget; the other members are unset
  Budget<SquareMetres> area{};
  Budget<Watts> power{};
  Budget<Metres> perimeter{};
  Limit size_limited_by{};   // limits its units or bytes
  Limit speed_limited_by{};  // limits its clock or bandwidth
};

// `given` is the whole budget, not the sum of the shares.
struct Budgets {
  Budget<SquareMetres> area{};
  Budget<Watts> power{};
  Budget<Metres> perimeter{};
  Budget<SquareMetres> package_area{};  // the die counts as used
};

// One per component: core, levels, main memory, networks, engine. The engine uses what it is given;
// the others have used nothing yet. Infeasible with the budget's name if the engine or the shares
// exceed it, or if the package is smaller than the die or larger than its technology allows.
Feasible<std::vector<Use>> allocate_budgets(const Template& design);

// What the components use, against the budgets of the template.
Budgets budgets_of(const std::vector<Use>& uses, const Template& design, double memory_devices);

}  // namespace cairn::chip
