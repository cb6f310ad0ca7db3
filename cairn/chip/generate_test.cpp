#include "cairn/chip/generate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cairn/chip/test_support/known_chips.hpp"

namespace cairn::chip {
namespace {

constexpr double kKibi = 1024.0;
constexpr double kMebi = kKibi * kKibi;
constexpr double kGibi = kKibi * kMebi;
constexpr double kPublished = 1e-3;  // relative: precision of the published figures

void expect_published(double ours, double published) {
  EXPECT_NEAR(ours / published, 1.0, kPublished) << "published " << published;
}

Generated generated(const Template& design) {
  Feasible<Generated> chip = generate(design);
  return chip ? std::move(chip).value() : throw Bug(chip.reason().limit() + chip.reason().detail);
}

// Results of the authors' program for their configurations.
TEST(Generate, V100) {
  const Generated chip = generated(known_chip("v100"));

  EXPECT_EQ(chip.core.mcus, 643.0);
  EXPECT_EQ(chip.core.bundles, 80.0);
  expect_published(chip.core.voltage.si(), 0.8679);
  expect_published(chip.core.frequency.si(), 1.51899e9);
  expect_published(chip.core.throughput().si(), 125.01932e12);
  ASSERT_EQ(chip.levels.size(), 3U);
  EXPECT_EQ(chip.levels[0].capacity.si(), 20.03125 * kMebi);
  EXPECT_EQ(chip.levels[1].capacity.si(), 10.0 * kMebi);
  EXPECT_EQ(chip.levels[2].capacity.si(), 6.0 * kMebi);
  expect_published(chip.levels[0].bandwidth.si(), 95945.8 * kGibi);
  expect_published(chip.levels[1].bandwidth.si(), 27965.9 * kGibi);
  expect_published(chip.levels[2].bandwidth.si(), 2148.83 * kGibi);
  EXPECT_EQ(chip.main_memory.links, 4096.0);
  EXPECT_EQ(chip.main_memory.capacity.si(), 16.0 * kGibi);
  expect_published(chip.main_memory.voltage.si(), 1.4382);
  expect_published(chip.main_memory.link_rate.si() * 8.0, 1.93917e9);
  expect_published(chip.main_memory.bandwidth.si(), 924.670 * kGibi);
  EXPECT_FALSE(chip.intra_package);
  ASSERT_TRUE(chip.inter_package);
  EXPECT_EQ(chip.inter_package->links, 44.0);
  expect_published(chip.inter_package->bandwidth.si(), 48.0613 * kGibi);
}

TEST(Generate, P4) {
  const Generated chip = generated(known_chip("p4"));

  EXPECT_EQ(chip.core.mcus, 80.0);
  EXPECT_EQ(chip.core.bundles, 20.0);
  expect_published(chip.core.voltage.si(), 0.9902);
  expect_published(chip.core.frequency.si(), 1.0477e9);
  expect_published(chip.core.throughput().si(), 5.364e12);
  expect_published(chip.main_memory.bandwidth.si(), 177.29 * kGibi);
  EXPECT_FALSE(chip.inter_package);
}

// The authors' sweep over HBM generations, to 2 %: it states factors
// (0.7 of the energy, 0.95 of the voltage per generation), not the resulting values.
TEST(Generate, V100WithLaterHbm) {
  constexpr double kSweep = 0.02;
  const Generated hbm2 = generated(known_chip("v100", {"main_memory.technology=hbm2"}));
  const Generated hbm2e = generated(known_chip("v100", {"main_memory.technology=hbm2e"}));

  EXPECT_NEAR(hbm2.main_memory.bandwidth.si() / (1331.0 * kGibi), 1.0, kSweep);
  EXPECT_EQ(hbm2.main_memory.capacity.si(), 32.0 * kGibi);
  EXPECT_NEAR(hbm2e.main_memory.bandwidth.si() / (1536.0 * kGibi), 1.0, kSweep);
  EXPECT_EQ(hbm2e.main_memory.capacity.si(), 48.0 * kGibi);
}

// The authors' sweep over links: half the energy and three quarters of the area per step.
TEST(Generate, V100WithBetterLinks) {
  const std::vector<double> published{48.1, 96.1, 192.2, 384.5, 769.0};
  for (std::size_t step = 0; step < published.size(); ++step) {
    Template design = known_chip("v100");
    design.inter_package->link.energy /= std::pow(2.0, static_cast<double>(step));
    design.inter_package->link.area *= std::pow(0.75, static_cast<double>(step));

    expect_published(generated(design).inter_package->bandwidth.si(), published[step] * kGibi);
  }
}

// 255 mm2 of MCUs of 0.38 mm2 / 1.8^6 each, in bundles of 8. Their crossbar uses up what L2 gains.
TEST(Generate, CrossbarLimitsL2SixNodesLater) {
  const std::string area = "chip_area=850 mm2";
  const std::string power = "power=1 kW";  // for all of them

  const Generated before = generated(known_chip("v100", {area, power}));
  const Generated after = generated(known_chip("v100", {area, power, "node=1 nm"}));

  EXPECT_EQ(before.core.bundles, 83.0);
  EXPECT_EQ(after.core.bundles, std::floor(255.0 / (0.38 / std::pow(1.8, 6)) / 8.0));
  EXPECT_GT(after.levels[2].capacity, before.levels[2].capacity);
  EXPECT_LT(after.levels[2].capacity / before.levels[2].capacity, 1.06);
}

// A unit at 0.55 V draws 0.55 x 0.35^2 / (0.8 x 0.6^2) of its power, which six nodes divide by
// 1.3^6.
TEST(Generate, PowerLimitsUnitsSixNodesLater) {
  const Generated chip = generated(known_chip("v100", {"node=1 nm"}));

  const double least = 0.13 / std::pow(1.3, 6) * 0.55 * 0.35 * 0.35 / (0.8 * 0.36);
  EXPECT_EQ(chip.core.mcus, std::floor(0.3745 * 300.0 / least));
  EXPECT_EQ(chip.uses.front().size_limited_by, Limit::kMinimumVoltage);
}

TEST(Generate, ReportsTheLimitOfEachComponent) {
  const Generated chip = generated(known_chip("v100"));
  const auto use = [&](const std::string& name) {
    for (const Use& known : chip.uses) {
      if (known.component == name) {
        return known;
      }
    }
    throw Bug("no such component");
  };

  EXPECT_EQ(use("core").size_limited_by, Limit::kArea);
  EXPECT_EQ(use("core").speed_limited_by, Limit::kPower);
  EXPECT_EQ(use("inter_package").size_limited_by, Limit::kMinimumVoltage);
  EXPECT_TRUE(use("intra_package").absent);

  const auto limit_of_memory = [](const std::vector<std::string>& changes) {
    return generated(known_chip("v100", changes)).uses[4].size_limited_by;
  };
  EXPECT_EQ(limit_of_memory({"package_area=1000 mm2"}), Limit::kPackageArea);
  EXPECT_EQ(limit_of_memory({"package_area=2000 mm2"}), Limit::kArea);
  EXPECT_EQ(limit_of_memory({"main_memory.perimeter=0.05"}), Limit::kPerimeter);
}

TEST(Generate, MemoryStopsAtItsMaximumVoltage) {
  const Generated chip = generated(known_chip("v100", {"core.power=0.1", "main_memory.power=0.4"}));

  EXPECT_EQ(chip.main_memory.voltage, Volts(1.8));
  EXPECT_EQ(chip.uses[4].speed_limited_by, Limit::kMaximumVoltage);
  EXPECT_LT(chip.uses[4].power.used, chip.uses[4].power.given);
}

TEST(Generate, ComponentWithoutSharesIsAbsent) {
  const Generated chip = generated(known_chip(
      "v100",
      {"levels[1].area=0", "levels[1].power=0", "network.inter_package={technology: pcb-serdes}"}));

  EXPECT_EQ(chip.levels.size(), 2U);
  EXPECT_EQ(chip.levels[1].name, "l2");
  EXPECT_FALSE(chip.inter_package);
  EXPECT_TRUE(chip.uses[2].absent);
}

TEST(Generate, InfeasibleComponentIsNamed) {
  const auto reason = [](const std::string& change) {
    const Feasible<Generated> chip = generate(known_chip("v100", {change}));
    return chip ? "" : chip.reason().limit() + ": " + chip.reason().detail;
  };

  EXPECT_EQ(reason("core.area=0"), "core: has no share of area, which it needs");
  EXPECT_EQ(reason("core.power=0"), "core: has no share of power, which it needs");
  EXPECT_EQ(reason("levels[2].power=0"), "l2: has no share of power, which it needs");
  EXPECT_EQ(reason("main_memory.perimeter=0"),
            "main_memory: has no share of perimeter, which it needs");
  EXPECT_THAT(reason("core.area=1e-3"), testing::StartsWith("core: 815000 um2 is too little"));
  EXPECT_THAT(reason("core.power=1e-5"), testing::HasSubstr("minimum voltage of 550 mV"));
  EXPECT_THAT(reason("levels[2].area=1e-4"), testing::StartsWith("l2: "));
  EXPECT_THAT(reason("levels[2].power=1e-8"), testing::HasSubstr("static power"));
  EXPECT_THAT(reason("main_memory.area=1e-3"), testing::HasSubstr("not enough area"));
  EXPECT_THAT(reason("main_memory.power=1e-4"), testing::HasSubstr("static power"));
  EXPECT_THAT(reason("network.inter_package.power=1e-6"), testing::StartsWith("inter_package: "));
  EXPECT_THAT(reason("package_area=800 mm2"), testing::StartsWith("package area: "));
  EXPECT_THAT(reason("package_area=9000 mm2"), testing::HasSubstr("maximum of"));
}

int any_between(int least, int most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

double share() {
  return any_between(1, 1000) / 1000.0;
}

// A V100 with random shares that add up to at most 1, on a chip of random size.
Template any_template() {
  Template design = known_chip("v100");
  design.chip_area = SquareMetres(1e-6 * any_between(100, 900));
  design.power = Watts(any_between(20, 1000));
  std::vector<Shares*> all{&design.core.shares,
                           &design.main_memory.shares,
                           &design.intra_package->shares,
                           &design.inter_package->shares};
  for (LevelTemplate& level : design.levels) {
    all.push_back(&level.shares);
  }
  for (double Shares::* budget : {&Shares::area, &Shares::power, &Shares::perimeter}) {
    double sum = 0.0;
    for (Shares* shares : all) {
      sum += shares->*budget = share();
    }
    for (Shares* shares : all) {
      shares->*budget /= sum;
    }
  }
  return design;
}

RC_GTEST_PROP(Generate, NoBudgetIsExceeded, ()) {
  const Feasible<Generated> chip = generate(any_template());

  RC_PRE(chip.feasible());
  constexpr double kRounding = 1.0 + 1e-8;
  for (const Use& use : chip->uses) {
    RC_ASSERT(use.area.used <= use.area.given * kRounding);
    RC_ASSERT(use.power.used <= use.power.given * kRounding);
    RC_ASSERT(use.perimeter.used <= use.perimeter.given * kRounding);
    if (use.speed_limited_by == Limit::kPower) {
      RC_ASSERT(use.power.used >= use.power.given / kRounding);
    }
  }
  RC_ASSERT(chip->budgets.area.used <= chip->budgets.area.given * kRounding);
  RC_ASSERT(chip->budgets.power.used <= chip->budgets.power.given * kRounding);
  RC_ASSERT(chip->budgets.perimeter.used <= chip->budgets.perimeter.given * kRounding);
  RC_ASSERT(chip->budgets.package_area.used <= chip->budgets.package_area.given * kRounding);
}

RC_GTEST_PROP(Generate, MorePowerIsNeverSlower, ()) {
  const Template design = any_template();
  Template richer = design;
  richer.power *= 1.0 + share();

  const Feasible<Generated> chip = generate(design);
  const Feasible<Generated> faster = generate(richer);

  RC_PRE(chip.feasible());
  RC_ASSERT(faster.feasible());
  constexpr double kRounding = 1.0 + 1e-9;
  RC_ASSERT(faster->core.throughput() * kRounding >= chip->core.throughput());
  RC_ASSERT(faster->main_memory.bandwidth * kRounding >= chip->main_memory.bandwidth);
  RC_ASSERT(faster->inter_package->bandwidth * kRounding >= chip->inter_package->bandwidth);
}

RC_GTEST_PROP(Generate, MoreAreaNeverGivesFewerUnitsOrLessSpeed, ()) {
  const Template design = any_template();
  Template larger = design;
  const double grown = 1.0 + share();
  larger.chip_area *= grown;
  larger.package_area += larger.chip_area - design.chip_area;
  larger.package.reset();
  // Levels keep their area in mm2, because their crossbars grow with the core.
  for (LevelTemplate& level : larger.levels) {
    level.shares.area /= grown;
  }

  const Feasible<Generated> chip = generate(design);
  const Feasible<Generated> more = generate(larger);

  RC_PRE(chip.feasible());
  RC_PRE(more.feasible());  // a bank with links to more bundles may not fit
  RC_ASSERT(more->core.mcus >= chip->core.mcus);
  RC_ASSERT(more->core.throughput() * (1.0 + 1e-9) >= chip->core.throughput());
  RC_ASSERT(more->main_memory.devices >= chip->main_memory.devices);
  RC_ASSERT(more->inter_package->links >= chip->inter_package->links);
}

// ACE's parts: 4 x 16112 + 159803 + 4 x 1278424 + 1084 um2; power in the same way.
CollectivesEngine engine() {
  return {.parts = {{"ALU", 4.0, SquareMetres(16112e-12), Watts(7.552e-3)},
                    {"control unit", 1.0, SquareMetres(159803e-12), Watts(128e-3)},
                    {"SRAM of 1 MB", 4.0, SquareMetres(1278424e-12), Watts(1.024)},
                    {"switch", 1.0, SquareMetres(1084e-12), Watts(0.329e-3)}}};
}

TEST(GenerateWithAnEngine, CountsItsAreaAndPower) {
  Template design = known_chip("v100");
  const Generated without = generated(design);
  design.fabric.engine = engine();
  const Generated with = generated(design);

  const Use& use = with.uses.back();
  EXPECT_EQ(use.component, "engine");
  EXPECT_NEAR(use.area.used.si() * 1e6, 5.339, 0.001);
  EXPECT_NEAR(use.power.used.si(), 4.2545, 0.0001);
  EXPECT_EQ(with.uses.size(), without.uses.size() + 1);
  SquareMetres area{};
  Watts power{};
  for (const Use& each : with.uses) {
    area += each.area.used;
    power += each.power.used;
  }
  EXPECT_EQ(with.budgets.area.used, area);
  EXPECT_EQ(with.budgets.power.used, power);
  EXPECT_EQ(with.budgets.area.given, design.chip_area);
  EXPECT_EQ(with.budgets.power.given, design.power);
  EXPECT_LE(with.budgets.power.used, design.power);
}

// The rest equals a die without the engine's area and power, except for the perimeter.
RC_GTEST_PROP(GenerateWithAnEngine, SharesReferToTheRemainingBudgets, ()) {
  Template design = known_chip(*rc::gen::element<std::string>("v100", "p4"));
  CollectivesEngine part;
  part.parts.push_back({.name = "all",
                        .area = design.chip_area * (*rc::gen::inRange(0, 30) / 100.0),
                        .power = design.power * (*rc::gen::inRange(0, 30) / 100.0)});
  Template smaller = design;
  smaller.chip_area -= part.area();
  smaller.power -= part.power();
  design.fabric.engine = part;

  const auto with = generate(design);
  const auto rest = generate(smaller);
  RC_PRE(with.feasible() && rest.feasible());
  RC_ASSERT(with->core.mcus == rest->core.mcus);
  RC_ASSERT(std::abs(with->core.throughput() / rest->core.throughput() - 1.0) < 1e-9);
  for (std::size_t l = 0; l < rest->levels.size(); ++l) {
    RC_ASSERT(with->levels[l].banks == rest->levels[l].banks);
    RC_ASSERT(std::abs(with->levels[l].bandwidth / rest->levels[l].bandwidth - 1.0) < 1e-9);
  }
  RC_ASSERT(with->budgets.area.used <= design.chip_area * (1.0 + 1e-9));
  RC_ASSERT(with->budgets.power.used <= design.power * (1.0 + 1e-9));
}

}  // namespace
}  // namespace cairn::chip
