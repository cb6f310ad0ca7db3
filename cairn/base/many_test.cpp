#include "cairn/base/many.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cairn {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Many, HasTheRequestedSignificantDigits) {
  EXPECT_EQ(many(3.14159), "3.142");
  EXPECT_EQ(many(3.14159, 2), "3.1");
  EXPECT_EQ(many(-0.25), "-0.25");
  EXPECT_EQ(many(0.0), "0");
}

TEST(Many, IsRoundedToWholeWhenAllDigitsAreBeforeThePoint) {
  EXPECT_EQ(many(14609.6), "14610");
  EXPECT_EQ(many(-14609.6), "-14610");
  EXPECT_EQ(many(5140.3, 3), "5140");
}

TEST(Many, SeparatesThousandsFrom100000On) {
  EXPECT_EQ(many(99999.4), "99999");
  EXPECT_EQ(many(1e5), "100,000");
  EXPECT_EQ(many(12943923.2), "12,943,923");
  EXPECT_EQ(many(-194390.0), "-194,390");
  EXPECT_EQ(many(150e9), "150,000,000,000");
  EXPECT_EQ(many(1048576.0, 15), "1048576");  // all digits were requested
}

// Rounding 999.96 to four digits carries over to 1000; so does 9999.6 to 10000.
TEST(Many, RoundsUpToTheNextPowerOfTen) {
  EXPECT_EQ(many(999.96), "1000");
  EXPECT_EQ(many(9999.6), "10000");
  EXPECT_EQ(many(9999.4), "9999");
  EXPECT_EQ(many(999.6, 3), "1000");
}

TEST(Many, NeverUsesScientificNotation) {
  EXPECT_EQ(many(1.5e-5), "0.000015");
  EXPECT_EQ(many(-1.23456e-7), "-0.0000001235");
  EXPECT_EQ(many(0.0001), "0.0001");
}

TEST(Many, IsWithinHalfADigitOfTheNumber) {
  for (int power = -12; power <= 12; ++power) {
    for (const double lead : {1.0, 1.0004999, 2.345678, 9.9994999}) {
      const double number = lead * std::pow(10.0, power);
      EXPECT_THAT(many(number), Not(HasSubstr("e")));
      std::string digits = many(number);
      std::erase(digits, ',');
      EXPECT_NEAR(std::stod(digits) / number, 1.0, 5.01e-4) << number;
    }
  }
}

TEST(Many, PrintsInfinityAndNan) {
  EXPECT_EQ(many(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(many(std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace cairn
