// The voltage law of identical units at voltage V, with threshold Vt and nominal voltage Vn:
//
//   frequency   f / fn = [(V - Vt)^2 / V] / [(Vn - Vt)^2 / Vn]      (alpha-power law, alpha = 2)
//   power       P / Pn = V^2 f / (Vn^2 fn) = V (V - Vt)^2 / [Vn (Vn - Vt)^2]
//
// Both grow with V above the threshold. Energy per operation grows with V^2, so many slow units
// have more throughput than few fast ones at the same power.
#pragma once

#include "cairn/base/quantity.hpp"
#include "cairn/chip/limit.hpp"
#include "cairn/tech/supply.hpp"

namespace cairn::chip {

// f / fn. Precondition: voltage above the threshold.
double frequency_ratio(const tech::Supply& supply, Volts voltage);

// P / Pn of one unit.
double power_ratio(const tech::Supply& supply, Volts voltage);

// (V / Vn)^2, the energy per operation relative to the nominal voltage.
double energy_ratio(const tech::Supply& supply, Volts voltage);

// The voltage at which a unit draws `ratio` of its nominal power: the largest real root of
// V (V - Vt)^2 = ratio Vn (Vn - Vt)^2, not clamped to the minimum or maximum. Precondition:
// ratio >= 0.
Volts voltage_at_power(const tech::Supply& supply, double ratio);

// Identical units that share a power budget.
struct OperatingPoint {
  double units = 0.0;  // running units; a whole number
  Volts voltage{};
  double frequency_ratio = 0.0;  // of the nominal frequency
  Watts power{};                 // of all units
  Limit units_limited_by{};
  Limit speed_limited_by{};
};

// Up to `max_units` units, as many as the budget sustains at the minimum voltage (the paper: "if we
// hit the minimum voltage limit ... we reduce the number of MCUs"). They run at the voltage that
// uses up the budget, at most the maximum voltage. Zero units if the budget is too small for one.
// `limited_by` is what limits `max_units`.
OperatingPoint operate(const tech::Supply& supply,
                       double max_units,
                       Limit limited_by,
                       Watts nominal_power,
                       Watts budget);

// floor(quotient), except that a quotient just below an integer by rounding gives that integer.
double whole_units(double quotient);

}  // namespace cairn::chip
