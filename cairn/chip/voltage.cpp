#include "cairn/chip/voltage.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::chip {

namespace {

// (V - Vt)^2 / V and V (V - Vt)^2, in powers of a volt.
double pace(const tech::Supply& supply, Volts voltage) {
  const double overdrive = (voltage - supply.threshold).si();
  return overdrive * overdrive / voltage.si();
}

double effort(const tech::Supply& supply, Volts voltage) {
  const double overdrive = (voltage - supply.threshold).si();
  return overdrive * overdrive * voltage.si();
}

}  // namespace

double frequency_ratio(const tech::Supply& supply, Volts voltage) {
  return pace(supply, voltage) / pace(supply, supply.nominal);
}

double power_ratio(const tech::Supply& supply, Volts voltage) {
  return effort(supply, voltage) / effort(supply, supply.nominal);
}

// With x = V - Vt: x^3 + Vt x^2 = C has one root x >= 0, since its left side grows there, and no
// other real root is larger. Newton's method comes down to it from above, where the left side is
// convex; both cbrt(C) and sqrt(C / Vt) are above it.
Volts voltage_at_power(const tech::Supply& supply, double ratio) {
  const double threshold = supply.threshold.si();
  const double target = ratio * effort(supply, supply.nominal);
  if (target <= 0.0) {
    return supply.threshold;
  }
  double x = std::cbrt(target);
  if (threshold > 0.0) {
    x = std::min(x, std::sqrt(target / threshold));
  }
  constexpr int kMostRounds = 50;  // a handful in fact
  for (int round = 0; round < kMostRounds; ++round) {
    const double next = x - (x * x * (x + threshold) - target) / (x * (3.0 * x + 2.0 * threshold));
    if (!(next < x)) {
      break;
    }
    x = next;
  }
  return Volts(threshold + x);
}

double whole(double quotient) {
  constexpr double kRounding = 1e-9;  // relative
  return std::floor(quotient * (1.0 + kRounding));
}

OperatingPoint operate(
    const tech::Supply& supply, double most, Limit limited_by, Watts nominal_power, Watts budget) {
  const double carried = whole(budget / (nominal_power * power_ratio(supply, supply.minimum)));
  OperatingPoint point{.units = std::min(most, carried),
                       .units_limited_by = carried < most ? Limit::kMinimumVoltage : limited_by,
                       .speed_limited_by = Limit::kPower};
  if (point.units < 1.0) {
    return point;
  }
  point.voltage = voltage_at_power(supply, budget / (nominal_power * point.units));
  point.voltage = std::max(point.voltage, supply.minimum);  // it can be below by rounding only
  if (point.voltage > supply.maximum) {
    point.voltage = supply.maximum;
    point.speed_limited_by = Limit::kMaximumVoltage;
  }
  point.frequency_ratio = frequency_ratio(supply, point.voltage);
  point.power = nominal_power * (point.units * power_ratio(supply, point.voltage));
  return point;
}

}  // namespace cairn::chip
