#include "cairn/chip/cost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/chip/generate.hpp"
#include "cairn/chip/test_support/known_chips.hpp"

namespace cairn::chip {
namespace {

TEST(Cost, IsTheSumOfSiliconStacksAndPackageWithLinksUnknown) {
  const Template design = known_chip("v100");

  const Cost cost = cost_of(*generate(design), design);

  // 815 mm2 at 12 nm, four stacks, 1,230 mm2 of interposer.
  const double expected = 815.0 * 0.0564 + 4.0 * 75.0 + 1230.0 * 0.0274;
  EXPECT_NEAR(cost.total().si(), expected, 1e-9 * expected);
  EXPECT_THAT(cost.unknown, testing::ElementsAre("inter-package links"));
}

TEST(Cost, OfLinksIsProportionalToTheirCount) {
  Template design = known_chip("v100");
  design.inter_package->link.cost = Dollars(2.0);

  const Cost cost = cost_of(*generate(design), design);

  EXPECT_EQ(cost.items[2].cost, Dollars(88.0));
  EXPECT_THAT(cost.unknown, testing::IsEmpty());
}

TEST(Cost, OfSiliconIsUnknownForANodeWithoutAPrice) {
  const Template design = known_chip("v100", {"node=1 nm"});

  const Cost cost = cost_of(*generate(design), design);

  EXPECT_THAT(cost.unknown, testing::Contains("silicon"));
}

}  // namespace
}  // namespace cairn::chip
