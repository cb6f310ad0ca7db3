#include "cairn/base/sim_time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "cairn/base/id.hpp"

namespace cairn {
namespace {

static_assert(after(SimTime(), Seconds(1e-12)) == SimTime::from_picoseconds(1));

TEST(SimTime, RoundsUpToTheNextPicosecond) {
  const SimTime start = SimTime::from_picoseconds(10);

  EXPECT_EQ(after(start, Seconds(1.5e-12)).picoseconds(), 12);
  EXPECT_EQ(after(start, Seconds(0.01e-12)).picoseconds(), 11);
}

TEST(SimTime, DropsArithmeticNoise) {
  EXPECT_EQ(after(SimTime(), Seconds(3e-12 + 0.5e-15)).picoseconds(), 3);
  EXPECT_EQ(after(SimTime(), Seconds(0.1 + 0.2)).picoseconds(), 300'000'000'000);
}

TEST(SimTime, ZeroDurationTakesNoTime) {
  const SimTime start = SimTime::from_picoseconds(7);

  EXPECT_EQ(after(start, Seconds(0.0)), start);
}

TEST(SimTime, BeyondTheClockIsNever) {
  EXPECT_EQ(after(SimTime(), Seconds::infinity()), SimTime::never());
  EXPECT_EQ(after(SimTime(), Seconds(1e7)), SimTime::never());
  EXPECT_EQ(after(SimTime::never(), Seconds(1.0)), SimTime::never());
}

TEST(SimTime, NotANumberIsABug) {
  EXPECT_THROW(after(SimTime(), Seconds(std::numeric_limits<double>::quiet_NaN())), Bug);
}

TEST(SimTime, SinceIsTheDifferenceInSeconds) {
  const SimTime early = SimTime::from_picoseconds(1'000);
  const SimTime late = SimTime::from_picoseconds(3'500);

  EXPECT_DOUBLE_EQ(late.since(early).si(), 2.5e-9);
}

// Up to 1 s, where a double resolves 1e-4 ps; the exact product is taken in long double.
RC_GTEST_PROP(SimTimeProperty, NeverEarlyAndLessThanOnePicosecondLate, ()) {
  const auto mantissa = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000);
  const auto divisor = *rc::gen::inRange<std::int64_t>(1, 1'000'000);
  const auto start = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000'000);
  const Seconds duration(static_cast<double>(mantissa) / static_cast<double>(divisor) * 1e-12);

  const SimTime end = after(SimTime::from_picoseconds(start), duration);

  const long double exact = static_cast<long double>(duration.si()) * 1e12L;
  const auto passed = static_cast<long double>(end.picoseconds() - start);
  RC_ASSERT(passed >= exact - 1.3e-3L);  // the dropped 1e-3 ps, and the rounding of the product
  RC_ASSERT(passed < exact + 1.0L);
}

static_assert(Id<int>(3).index() == 3);
static_assert(!std::three_way_comparable_with<Id<int>, Id<double>>);
static_assert(!std::is_convertible_v<std::size_t, Id<int>>);

}  // namespace
}  // namespace cairn
