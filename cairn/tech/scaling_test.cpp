#include "cairn/tech/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::tech {
namespace {

ScalingLaw three_nodes() {
  return {.nodes = {{.node = Metres(12e-9), .cost_per_area = DollarsPerArea(5e4)},
                    {.node = Metres(7e-9), .cost_per_area = DollarsPerArea(13e4)},
                    {.node = Metres(5e-9), .cost_per_area = {}}},
          .area = 1.8,
          .power = 1.3,
          .voltage = 1.1,
          .controller_area = 1.2};
}

ComputeUnit some_unit() {
  return {.node = Metres(12e-9),
          .area = SquareMetres(0.38e-6),
          .power = Watts(0.13),
          .work_per_cycle = Flops(128.0),
          .frequency = Hertz(1.33e9),
          .voltage = {.nominal = Volts(0.8),
                      .threshold = Volts(0.2),
                      .minimum = Volts(0.55),
                      .maximum = Volts(1.1)}};
}

TEST(Scaling, StepsAreCountedAlongTheNodes) {
  EXPECT_EQ(steps_between(three_nodes(), Metres(12e-9), Metres(5e-9)), 2);
  EXPECT_EQ(steps_between(three_nodes(), Metres(5e-9), Metres(7e-9)), -1);
  EXPECT_EQ(steps_between(three_nodes(), Metres(12e-9), Metres(10e-9)), std::nullopt);
}

TEST(Scaling, TwoNodesDivideAreaAndPowerTwiceAtTheSameFrequency) {
  const ComputeUnit before = some_unit();

  const ComputeUnit after = scaled(before, three_nodes(), Metres(5e-9));

  EXPECT_DOUBLE_EQ(before.area / after.area, 1.8 * 1.8);
  EXPECT_DOUBLE_EQ(before.power / after.power, 1.3 * 1.3);
  EXPECT_DOUBLE_EQ(before.energy_per_flop() / after.energy_per_flop(), 1.3 * 1.3);
  EXPECT_DOUBLE_EQ(before.voltage.nominal / after.voltage.nominal, 1.1 * 1.1);
  EXPECT_EQ(after.voltage.threshold, before.voltage.threshold);
  EXPECT_EQ(after.frequency, before.frequency);
  EXPECT_EQ(after.node, Metres(5e-9));
  EXPECT_EQ(after.cost_per_area, std::nullopt);  // the law has no cost for that node
}

TEST(Scaling, ScalingForthAndBackRestoresTheComponent) {
  const ScalingLaw law = three_nodes();
  const ComputeUnit there = scaled(some_unit(), law, Metres(5e-9));

  const ComputeUnit back = scaled(there, law, Metres(12e-9));

  EXPECT_DOUBLE_EQ(back.area / some_unit().area, 1.0);
  EXPECT_DOUBLE_EQ(back.power / some_unit().power, 1.0);
  EXPECT_EQ(back.cost_per_area, law.nodes[0].cost_per_area);
}

TEST(Scaling, OnChipMemoryShrinksWithItsCrossbarAtEqualStaticPower) {
  const OnChipMemory before{.node = Metres(12e-9),
                            .bank_capacity = Bytes(32768.0),
                            .energy = JoulesPerByte(1e-12),
                            .static_power = WattsPerByte(6e-11),
                            .area = AreaPerByte(5e-13),
                            .controller_area = SquareMetres(4e-9)};

  const OnChipMemory after = scaled(before, three_nodes(), Metres(7e-9));

  EXPECT_DOUBLE_EQ(before.area / after.area, 1.8);
  EXPECT_DOUBLE_EQ(before.controller_area / after.controller_area, 1.8);
  EXPECT_DOUBLE_EQ(before.energy / after.energy, 1.3);
  EXPECT_EQ(after.static_power, before.static_power);
  EXPECT_EQ(after.bank_capacity, before.bank_capacity);
}

TEST(Scaling, OnlyTheControllerOfOffChipMemoryScales) {
  const OffChipMemory before{.area = SquareMetres(1e-4),
                             .energy = JoulesPerByte(3e-11),
                             .controller_area = SquareMetres(5e-6)};

  const OffChipMemory after = scaled(before, three_nodes(), 2);

  EXPECT_DOUBLE_EQ(before.controller_area / after.controller_area, 1.2 * 1.2);
  EXPECT_EQ(after.area, before.area);
  EXPECT_EQ(after.energy, before.energy);
}

}  // namespace
}  // namespace cairn::tech
