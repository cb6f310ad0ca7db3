#include "cairn/chip/energy.hpp"

#include <gtest/gtest.h>

#include "cairn/chip/generate.hpp"
#include "cairn/chip/test_support/known_chips.hpp"

namespace cairn::chip {
namespace {

// Everything at its full rate for one second draws the power of every component.
TEST(Energy, ChipAtFullRateDrawsItsDesignPower) {
  const Generated chip = *generate(known_chip("v100"));
  const Seconds second(1.0);
  DeviceActivity activity{.time = second,
                          .work = chip.core.throughput() * second,
                          .memory_traffic = chip.main_memory.bandwidth * second,
                          .sent = chip.inter_package->bandwidth * second};
  for (const GeneratedLevel& level : chip.levels) {
    activity.level_traffic.push_back(level.bandwidth * second);
  }

  const Energy energy = energy_of(activity, energy_figures(chip));

  EXPECT_NEAR(energy.total().si() / chip.budgets.power.used.si(), 1.0, 1e-12);
}

TEST(Energy, IdleChipDrawsItsStaticPower) {
  const Generated chip = *generate(known_chip("v100"));

  const Energy energy = energy_of({.time = Seconds(2.0)}, energy_figures(chip));

  // 0.6 pW a bit of HBM, 9, 9 and 8.4 of register file, L1 and L2.
  constexpr double kMebibits = 8.0 * 1024.0 * 1024.0;
  const double watts = kMebibits * (16384.0 * 0.6e-12 + 30.03125 * 9e-12 + 6.0 * 8.4e-12);
  EXPECT_NEAR(energy.total().si() / (2.0 * watts), 1.0, 1e-12);
  EXPECT_EQ(energy.total(), energy.idle);
}

TEST(Energy, LowerVoltageNeedsLessEnergyForTheSameWork) {
  const DeviceActivity activity{.time = Seconds(0.0), .work = Flops(1e12)};

  const Energy fast = energy_of(activity, energy_figures(*generate(known_chip("v100"))));
  const Energy slow =
      energy_of(activity, energy_figures(*generate(known_chip("v100", {"core.power=0.2"}))));

  EXPECT_LT(slow.compute, fast.compute);
}

TEST(Energy, OfSendingIsUnknownWithoutANetwork) {
  const EnergyFigures figures = energy_figures(*generate(known_chip("p4")));

  EXPECT_EQ(energy_of({.sent = Bytes(1.0)}, figures).network, std::nullopt);
  EXPECT_EQ(energy_of({}, figures).network, Joules(0.0));
}

}  // namespace
}  // namespace cairn::chip
