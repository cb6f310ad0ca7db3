#include "cairn/chip/voltage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace cairn::chip {
namespace {

constexpr double kExact = 1e-12;  // relative: rounding of a few operations

tech::Supply v100_core() {
  return {.nominal = Volts(0.8),
          .threshold = Volts(0.2),
          .minimum = Volts(0.55),
          .maximum = Volts(1.1)};
}

double between(double low, double high) {
  const auto any = rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 1'000'001));
  const double part = static_cast<double>(*any) / 1e6;
  return low + part * (high - low);
}

tech::Supply any_supply() {
  const double threshold = between(0.0, 0.5);
  const double minimum = threshold + between(0.05, 0.5);
  const double maximum = minimum + between(0.0, 1.0);
  const double nominal = between(threshold + 0.02, maximum);
  return {Volts(nominal), Volts(threshold), Volts(minimum), Volts(maximum)};
}

TEST(Voltage, NominalPowerIsAtNominalVoltageAndFrequency) {
  EXPECT_NEAR(voltage_at_power(v100_core(), 1.0).si(), 0.8, 0.8 * kExact);
  EXPECT_DOUBLE_EQ(frequency_ratio(v100_core(), Volts(0.8)), 1.0);
  EXPECT_DOUBLE_EQ(power_ratio(v100_core(), Volts(0.8)), 1.0);
}

TEST(Voltage, WithoutThresholdItIsTheCubeRootOfPower) {
  const tech::Supply supply{Volts(1.0), Volts(0.0), Volts(0.1), Volts(9.0)};

  EXPECT_NEAR(voltage_at_power(supply, 8.0).si(), 2.0, 2.0 * kExact);
  EXPECT_NEAR(frequency_ratio(supply, Volts(2.0)), 2.0, 2.0 * kExact);
}

// Vt = 0.5, Vn = 1: at V = 2 power is 2 x 1.5^2 / 0.5^2 = 18 and frequency 1.5^2 / 2 / 0.25 = 4.5.
// Energy is power over frequency: 4 = 2^2.
TEST(Voltage, AgreesWithAHandComputedCase) {
  const tech::Supply supply{Volts(1.0), Volts(0.5), Volts(0.6), Volts(9.0)};

  EXPECT_NEAR(voltage_at_power(supply, 18.0).si(), 2.0, 2.0 * kExact);
  EXPECT_NEAR(frequency_ratio(supply, Volts(2.0)), 4.5, 4.5 * kExact);
  EXPECT_NEAR(energy_ratio(supply, Volts(2.0)), 18.0 / 4.5, 4.0 * kExact);
}

TEST(Voltage, ZeroPowerIsAtTheThreshold) {
  EXPECT_EQ(voltage_at_power(v100_core(), 0.0), Volts(0.2));
}

// Below 4 Vt^3 / 27 the cubic has three real roots; the others are not above Vt.
RC_GTEST_PROP(Voltage, IsTheRootAboveTheThreshold, ()) {
  const tech::Supply supply = any_supply();
  const double ratio = std::pow(10.0, between(-9.0, 4.0));

  const Volts voltage = voltage_at_power(supply, ratio);

  RC_ASSERT(voltage > supply.threshold);
  // x = V - Vt loses digits if it is small relative to Vt, and power scales with its square.
  const double lost = supply.threshold / (voltage - supply.threshold);
  const double tolerance = 1e-12 * (1.0 + lost);
  RC_ASSERT(std::fabs(power_ratio(supply, voltage) / ratio - 1.0) < tolerance);
}

TEST(WholeUnits, ToleratesOnlyRounding) {
  EXPECT_EQ(whole_units(643.42), 643.0);
  EXPECT_EQ(whole_units(0.3 / 0.1), 3.0);  // 2.9999999999999996
  EXPECT_EQ(whole_units(2.999999), 2.0);
}

// V100 of DeepFlow: 643 units of 0.13 W on 0.3745 of 300 W; published 0.8679 V and 1.519 GHz.
TEST(Operate, RaisesVoltageAboveNominalIfPowerAllows) {
  const OperatingPoint point =
      operate(v100_core(), 643.0, Limit::kArea, Watts(0.13), Watts(0.3745 * 300.0));

  EXPECT_EQ(point.units, 643.0);
  EXPECT_NEAR(point.voltage.si(), 0.8679, 0.8679e-3);
  EXPECT_NEAR(point.frequency_ratio * 1.33, 1.51899, 1.51899e-3);
  EXPECT_EQ(point.units_limited_by, Limit::kArea);
  EXPECT_EQ(point.speed_limited_by, Limit::kPower);
}

// At 0.55 V a unit draws 0.55 x 0.35^2 / (0.8 x 0.6^2) of its power.
TEST(Operate, DropsUnitsAtTheMinimumVoltage) {
  const double least = 0.13 * 0.55 * 0.35 * 0.35 / (0.8 * 0.36);

  const OperatingPoint point =
      operate(v100_core(), 643.0, Limit::kArea, Watts(0.13), Watts(10.4 * least));

  EXPECT_EQ(point.units, 10.0);
  EXPECT_EQ(point.units_limited_by, Limit::kMinimumVoltage);
  EXPECT_GT(point.voltage, Volts(0.55));  // the power of 0.4 units is left for the ten
  EXPECT_LT(point.voltage, Volts(0.57));
}

TEST(Operate, HasNoUnitsIfPowerIsTooLowForOne) {
  EXPECT_EQ(operate(v100_core(), 643.0, Limit::kArea, Watts(0.13), Watts(0.01)).units, 0.0);
}

TEST(Operate, StopsAtTheMaximumVoltage) {
  const OperatingPoint point =
      operate(v100_core(), 10.0, Limit::kPerimeter, Watts(0.13), Watts(1000.0));

  EXPECT_EQ(point.voltage, Volts(1.1));
  EXPECT_EQ(point.speed_limited_by, Limit::kMaximumVoltage);
  EXPECT_NEAR(point.power.si(), 1.3 * 1.1 * 0.81 / (0.8 * 0.36), 1e-9);
}

RC_GTEST_PROP(Operate, UsesThePowerBudgetUpUnlessAtTheMaximumVoltage, ()) {
  const tech::Supply supply = any_supply();
  const Watts least = Watts(0.5) * power_ratio(supply, supply.minimum);  // one unit needs it
  const Watts budget = least * std::pow(10.0, between(0.0, 4.0));

  const OperatingPoint point = operate(supply, 100.0, Limit::kArea, Watts(0.5), budget);

  RC_ASSERT(point.units > 0.0);
  RC_ASSERT(point.voltage >= supply.minimum);
  RC_ASSERT(point.voltage <= supply.maximum);
  RC_ASSERT(point.power <= budget * (1.0 + 1e-9));
  if (point.speed_limited_by == Limit::kPower) {
    RC_ASSERT(point.power >= budget * (1.0 - 1e-9));
  }
}

RC_GTEST_PROP(Operate, MorePowerOrUnitsAreNeverSlower, ()) {
  const tech::Supply supply = any_supply();
  const Watts budget(std::pow(10.0, between(-2.0, 3.0)));
  const double units = std::floor(between(1.0, 200.0));
  const auto throughput = [&](double most, Watts power) {
    const OperatingPoint point = operate(supply, most, Limit::kArea, Watts(0.5), power);
    return point.units * point.frequency_ratio;
  };

  constexpr double kRounding = 1.0 + 1e-9;
  RC_ASSERT(throughput(units, budget * between(1.0, 3.0)) * kRounding >= throughput(units, budget));
  RC_ASSERT(throughput(units + std::floor(between(0.0, 50.0)), budget) * kRounding >=
            throughput(units, budget));
}

}  // namespace
}  // namespace cairn::chip
