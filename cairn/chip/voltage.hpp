// The voltage law. Of n equal units at voltage V, with threshold Vt and nominal voltage Vn:
//
//   frequency   f / fn = [(V - Vt)^2 / V] / [(Vn - Vt)^2 / Vn]      (alpha-power law, alpha = 2)
//   power       P / Pn = V^2 f / (Vn^2 fn) = V (V - Vt)^2 / [Vn (Vn - Vt)^2]
//
// Both grow with V above the threshold; energy per operation grows with V^2, so that many slow
// units do more than few fast ones at the same power.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/chip/limit.hpp"
#include "cairn/tech/supply.hpp"

namespace cairn::chip {

// f / fn. Precondition: voltage above the threshold.
double frequency_ratio(const tech::Supply& supply, Volts voltage);

// P / Pn of one unit.
double power_ratio(const tech::Supply& supply, Volts voltage);

// The voltage at which a unit takes `ratio` of its nominal power: the largest real root of
// V (V - Vt)^2 = ratio Vn (Vn - Vt)^2, whatever the minimum and the maximum. Precondition:
// ratio >= 0.
Volts voltage_at_power(const tech::Supply& supply, double ratio);

// Equal units that share a power budget.
struct OperatingPoint {
  double units = 0.0;  // that run; whole
  Volts voltage{};
  double frequency_ratio = 0.0;  // of the nominal frequency
  Watts power{};                 // of all units
  Limit units_limited_by{};
  Limit speed_limited_by{};
};

// As many of `most` units as the budget carries at the minimum voltage (the paper: "if we hit the
// minimum voltage limit ... we reduce the number of MCUs"), at the voltage that uses the budget up,
// or at the maximum voltage. No units when the budget carries none. `limited_by` is what limits
// `most`.
OperatingPoint operate(
    const tech::Supply& supply, double most, Limit limited_by, Watts nominal_power, Watts budget);

// The whole part; a quotient that misses a whole number only by rounding is that number.
double whole(double quotient);

}  // namespace cairn::chip
