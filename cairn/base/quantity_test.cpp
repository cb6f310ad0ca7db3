#include "cairn/base/quantity.hpp"

#include <gtest/gtest.h>

#include <concepts>

namespace cairn {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };

template <class A, class B>
concept Subtractable = requires(A a, B b) { a - b; };

template <class A, class B>
concept Comparable = requires(A a, B b) { a < b; };

template <class A, class B>
concept Assignable = requires(A a, B b) { a = b; };

template <class A, class B>
concept AddAssignable = requires(A a, B b) { a += b; };

// Dimensions combine as in the equations.
static_assert(std::same_as<decltype(Bytes{} / BytesPerSecond{}), Seconds>);
static_assert(std::same_as<decltype(BytesPerSecond{} * Seconds{}), Bytes>);
static_assert(std::same_as<decltype(Flops{} / FlopsPerSecond{}), Seconds>);
static_assert(std::same_as<decltype(Watts{} * Seconds{}), Joules>);
static_assert(std::same_as<decltype(JoulesPerByte{} * Bytes{}), Joules>);
static_assert(std::same_as<decltype(Metres{} * Metres{}), SquareMetres>);
static_assert(std::same_as<decltype(1.0 / Seconds{}), Hertz>);
static_assert(std::same_as<decltype(Bytes{} / Bytes{}), double>);
static_assert(std::same_as<decltype(Hertz{} * Seconds{}), double>);

// Meaningless operations do not compile.
static_assert(Addable<Bytes, Bytes> && !Addable<Bytes, Seconds> && !Addable<Bytes, double>);
static_assert(!Subtractable<Bytes, BytesPerSecond> && !Subtractable<double, Seconds>);
static_assert(Comparable<Seconds, Seconds> && !Comparable<Seconds, Hertz>);
static_assert(!Comparable<Seconds, double>);
static_assert(!Assignable<Seconds, double> && !Assignable<Seconds, Bytes>);
static_assert(!AddAssignable<Seconds, double> && !AddAssignable<Seconds, Hertz>);
static_assert(!std::convertible_to<double, Bytes> && !std::convertible_to<Bytes, double>);

TEST(Quantity, TransferTimeIsSizeOverBandwidth) {
  const Bytes size(100e6);
  const BytesPerSecond bandwidth(25e9);

  const Seconds time = size / bandwidth;

  EXPECT_DOUBLE_EQ(time.si(), 100e6 / 25e9);
}

TEST(Quantity, OnlyScalingTakesBareNumbers) {
  const Seconds latency(2e-6);

  EXPECT_EQ(latency * 3.0, 3.0 * latency);
  EXPECT_EQ(latency / 2.0, Seconds(1e-6));
  EXPECT_EQ(latency + latency - latency, latency);
  EXPECT_EQ(-latency + latency, Seconds(0.0));
}

TEST(Quantity, InfinityIsAboveAll) {
  EXPECT_LT(Seconds(1e300), Seconds::infinity());
}

}  // namespace
}  // namespace cairn
