#include "cairn/chip/budgets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::chip {
namespace {

using testing::HasSubstr;

// A square die of 4 mm: a perimeter of 16 mm.
Template small_die() {
  Template design;
  design.chip_area = SquareMetres(16e-6);
  design.package_area = SquareMetres(32e-6);
  design.power = Watts(100.0);
  design.core.shares = {.area = 0.5, .power = 0.25};
  design.main_memory.shares = {.area = 0.25, .power = 0.5, .perimeter = 0.75};
  return design;
}

CollectivesEngine engine(SquareMetres area, Watts power) {
  return {.parts = {{.name = "all", .area = area, .power = power}}};
}

TEST(Budgets, ComponentsGetShares) {
  Template design = small_die();
  design.levels.push_back({.name = "l2"});

  const auto uses = allocate_budgets(design);

  ASSERT_EQ(uses->size(), 3U);
  EXPECT_EQ((*uses)[0].component, "core");
  EXPECT_DOUBLE_EQ((*uses)[0].area.given.si(), 8e-6);
  EXPECT_DOUBLE_EQ((*uses)[0].power.given.si(), 25.0);
  EXPECT_EQ((*uses)[1].component, "l2");
  EXPECT_TRUE((*uses)[1].absent);
  EXPECT_EQ((*uses)[2].component, "main_memory");
  EXPECT_FALSE((*uses)[2].absent);
  EXPECT_DOUBLE_EQ((*uses)[2].perimeter.given.si(), 0.75 * 16e-3);
}

// Area 16 - 6 mm2, power 100 - 20 W; the engine uses no perimeter.
TEST(Budgets, SharesReferToWhatTheEngineLeaves) {
  Template design = small_die();
  design.fabric.engine = engine(SquareMetres(6e-6), Watts(20.0));

  const auto uses = allocate_budgets(design);

  ASSERT_EQ(uses->size(), 3U);
  EXPECT_DOUBLE_EQ((*uses)[0].area.given.si(), 0.5 * 10e-6);
  EXPECT_DOUBLE_EQ((*uses)[0].power.given.si(), 0.25 * 80.0);
  EXPECT_DOUBLE_EQ((*uses)[1].perimeter.given.si(), 0.75 * 16e-3);
  EXPECT_EQ((*uses)[2].component, "engine");
  EXPECT_EQ((*uses)[2].area.used, SquareMetres(6e-6));
  EXPECT_EQ((*uses)[2].power.used, Watts(20.0));
}

TEST(Budgets, SharesAboveOneAreInfeasible) {
  Template design = small_die();
  design.core.shares.area = 0.9;

  const auto uses = allocate_budgets(design);

  ASSERT_FALSE(uses);
  EXPECT_EQ(uses.reason().limit(), "area");
  EXPECT_NEAR(uses.reason().constraint_violation, 0.9 + 0.25 - 1.0, 1e-12);
}

TEST(Budgets, AnEngineAboveABudgetIsInfeasible) {
  Template design = small_die();

  design.fabric.engine = engine(SquareMetres(16e-6), Watts(1.0));
  EXPECT_EQ(allocate_budgets(design).reason().limit(), "area");
  design.fabric.engine = engine(SquareMetres(1e-6), Watts(100.0));
  EXPECT_EQ(allocate_budgets(design).reason().limit(), "power");
}

TEST(Budgets, ThePackageHoldsTheDieWithinItsTechnology) {
  Template design = small_die();
  design.package.emplace();
  design.package->largest_area = SquareMetres(20e-6);

  EXPECT_THAT(allocate_budgets(design).reason().detail, HasSubstr("maximum of"));
  design.package_area = SquareMetres(15e-6);
  EXPECT_THAT(allocate_budgets(design).reason().detail, HasSubstr("less than the chip area"));
}

TEST(Budgets, UseIsSummedOverComponents) {
  Template design = small_die();
  design.main_memory.memory.area = SquareMetres(4e-6);
  const std::vector<Use> uses{{.area = {.used = SquareMetres(3e-6)}, .power = {.used = Watts(5.0)}},
                              {.power = {.used = Watts(7.0)}, .perimeter = {.used = Metres(2e-3)}}};

  const Budgets budgets = budgets_of(uses, design, 3.0);

  EXPECT_EQ(budgets.area.given, design.chip_area);
  EXPECT_EQ(budgets.area.used, SquareMetres(3e-6));
  EXPECT_EQ(budgets.power.given, design.power);
  EXPECT_EQ(budgets.power.used, Watts(12.0));
  EXPECT_EQ(budgets.perimeter.used, Metres(2e-3));
  EXPECT_DOUBLE_EQ(budgets.package_area.used.si(), 16e-6 + 3 * 4e-6);
}

}  // namespace
}  // namespace cairn::chip
