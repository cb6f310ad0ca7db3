#include "cairn/report/box.hpp"

#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"

namespace cairn::report {
namespace {

// Five values in any order: each of the five numbers is one of them.
TEST(BoxOf, FiveValuesAreTheSummary) {
  const Box box = box_of({5.0, 1.0, 20.0, 3.0, 8.0});

  EXPECT_EQ(numbers_of(box), (std::array{1.0, 3.0, 5.0, 8.0, 20.0}));
}

// Positions 0.75, 1.5 and 2.25 of 0 .. 3.
TEST(BoxOf, FourValuesAreInterpolated) {
  const Box box = box_of({0.0, 10.0, 20.0, 40.0});

  EXPECT_EQ(numbers_of(box), (std::array{0.0, 7.5, 15.0, 25.0, 40.0}));
}

TEST(BoxOf, OneValueHasZeroHeight) {
  EXPECT_EQ(numbers_of(box_of({7.0})), (std::array{7.0, 7.0, 7.0, 7.0, 7.0}));
  EXPECT_THROW(box_of({}), Bug);
}

}  // namespace
}  // namespace cairn::report
