#include "cairn/chip/voltage.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::chip {

namespace {

// (V - Vt)^2 / V and V (V - Vt)^2, in powers of a volt.
double frequency_term(const tech::Supply& supply, Volts voltage) {
  const double overdrive = (voltage - supply.threshold).si();
  return overdrive * overdrive / voltage.si();
}

double power_term(const tech::Supply& supply, Volts voltage) {
  const double overdrive = (voltage - supply.threshold).si();
  return overdrive * overdrive * voltage.si();
}

}  // namespace

double frequency_ratio(const tech::Supply& supply, Volts voltage) {
  return frequency_term(supply, voltage) / frequency_term(supply, supply.nominal);
}

double power_ratio(const tech::Supply& supply, Volts voltage) {
  return power_term(supply, voltage) / power_term(supply, supply.nominal);
}

double energy_ratio(const tech::Supply& supply, Volts voltage) {
  const double ratio = voltage / supply.nominal;
  return ratio * ratio;
}

// With x = V - Vt: x^3 + Vt x^2 = C has one root x >= 0, since its left side grows there, and no
// other real root is larger. Newton's method converges to it from above, where the left side is
// convex; both cbrt(C) and sqrt(C / Vt) are above it.
Volts voltage_at_power(const tech::Supply& supply, double ratio) {
  const double threshold = supply.threshold.si();
  const double target = ratio * power_term(supply, supply.nominal);
  if (target <= 0.0) {
    return supply.threshold;
  }
  double x = std::cbrt(target);
  if (threshold > 0.0) {
    x = std::min(x, std::sqrt(target / threshold));
  }
  constexpr int kMaxRounds = 50;  // converges in a few
  for (int round = 0; round < kMaxRounds; ++round) {
    const double next = x - (x * x * (x + threshold) - target) / (x * (3.0 * x + 2.0 * threshold));
    if (!(next < x)) {
      break;
    }
    x = next;
  }
  return Volts(threshold + x);
}

double whole_units(double quotient) {
  constexpr double kRounding = 1e-9;  // relative
  return std::floor(quotient * (1.0 + kRounding));
}

OperatingPoint operate(const tech::Supply& supply,
                       double max_units,
                       Limit limited_by,
                       Watts nominal_power,
                       Watts budget) {
  const double affordable =
      whole_units(budget / (nominal_power * power_ratio(supply, supply.minimum)));
  OperatingPoint point{
      .units = std::min(max_units, affordable),
      .units_limited_by = affordable < max_units ? Limit::kMinimumVoltage : limited_by,
      .speed_limited_by = Limit::kPower};
  if (point.units < 1.0) {
    return point;
  }
  point.voltage = voltage_at_power(supply, budget / (nominal_power * point.units));
  point.voltage = std::max(point.voltage, supply.minimum);  // below only by rounding
  if (point.voltage > supply.maximum) {
    point.voltage = supply.maximum;
    point.speed_limited_by = Limit::kMaximumVoltage;
  }
  point.frequency_ratio = frequency_ratio(supply, point.voltage);
  point.power = nominal_power * (point.units * power_ratio(supply, point.voltage));
  return point;
}

}  // namespace cairn::chip
