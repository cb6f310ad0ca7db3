#include "cairn/base/quantity_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "cairn/base/any_quantity.hpp"

namespace cairn {
namespace {

template <class Q>
double si(std::string_view text) {
  return parse_quantity<Q>(text).si();
}

template <class Q>
std::string problem(std::string_view text) {
  const auto parsed = try_parse_quantity(text, Q::kDimension);
  return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "";
}

TEST(ParseQuantity, ReadsEachDimension) {
  EXPECT_EQ(si<BytesPerSecond>("3.35 TB/s"), 3.35e12);
  EXPECT_EQ(si<Seconds>("350 ns"), 350e-9);
  EXPECT_EQ(si<Hertz>("1.245 GHz"), 1.245e9);
  EXPECT_EQ(si<SquareMetres>("5.3 mm2"), 5.3e-6);
  EXPECT_EQ(si<SquareMetres>("5.3 mm²"), 5.3e-6);
  EXPECT_EQ(si<Metres>("2 cm"), 0.02);
  EXPECT_EQ(si<JoulesPerFlop>("0.5 pJ/flop"), 0.5e-12);
  EXPECT_EQ(si<FlopsPerSecond>("312 TFLOP/s"), 312e12);
  EXPECT_EQ(si<FlopsPerSecond>("312 Tflop/s"), 312e12);
  EXPECT_EQ(si<Watts>("700 W"), 700.0);
  EXPECT_EQ(si<Volts>("750 mV"), 0.75);
  EXPECT_EQ(si<Dollars>("25000 USD"), 25000.0);
  EXPECT_EQ(si<Dollars>("2.5 k$"), 2500.0);
}

TEST(ParseQuantity, DecimalAndBinaryPrefixesDiffer) {
  EXPECT_EQ(si<Bytes>("80 GB"), 80e9);
  EXPECT_EQ(si<Bytes>("80 GiB"), 80.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(si<Bytes>("1 kB"), 1000.0);
  EXPECT_EQ(si<Bytes>("1 KiB"), 1024.0);
}

TEST(ParseQuantity, EightBitsAreAByte) {
  EXPECT_EQ(si<BytesPerSecond>("100 Gbit/s"), 100e9 / 8);
  EXPECT_EQ(si<BytesPerSecond>("100 Gb/s"), 100e9 / 8);
  EXPECT_EQ(si<JoulesPerByte>("13 pJ/bit"), 13e-12 * 8);
}

TEST(ParseQuantity, BlanksAndExponentsAreOptional) {
  EXPECT_EQ(si<BytesPerSecond>("25GB/s"), 25e9);
  EXPECT_EQ(si<Bytes>("1e3 MB"), 1e9);
  EXPECT_EQ(si<Bytes>("1E3MB"), 1e9);
  EXPECT_EQ(si<Bytes>("5EB"), 5e18);
  EXPECT_EQ(si<Bytes>("+5 B"), 5.0);
  EXPECT_EQ(si<Bytes>("-5 B"), -5.0);
}

TEST(ParseQuantity, MicroIsWrittenThreeWays) {
  EXPECT_EQ(si<Seconds>("5 us"), 5e-6);
  EXPECT_EQ(si<Seconds>("5 \u00B5s"), 5e-6);
  EXPECT_EQ(si<Seconds>("5 \u03BCs"), 5e-6);
}

TEST(ParseQuantity, UnitsWithoutANameCompose) {
  using PerArea = decltype(1.0 / SquareMetres{});
  using PowerDensity = decltype(Watts{} / SquareMetres{});

  EXPECT_NEAR(si<PerArea>("0.1 /cm2"), 1000.0, 1e-9);
  EXPECT_NEAR(si<PowerDensity>("0.5 W/mm2"), 5e5, 1e-6);
}

TEST(ParseQuantity, WrongDimensionShowsAnExample) {
  EXPECT_EQ(problem<BytesPerSecond>("25 GB"),
            R"("25 GB" is not a bandwidth (expected e.g. "25 GB/s"))");
  EXPECT_EQ(problem<SquareMetres>("5 mm"), R"("5 mm" is not an area (expected e.g. "814 mm2"))");
  EXPECT_EQ(problem<Bytes>("fast"), R"("fast" is not a size (expected e.g. "80 GiB"))");
}

TEST(ParseQuantity, BareNumberIsRefused) {
  EXPECT_EQ(problem<BytesPerSecond>("25"), R"("25" has no unit (expected e.g. "25 GB/s"))");
  EXPECT_EQ(problem<Seconds>("0"), R"("0" has no unit (expected e.g. "350 ns"))");
}

TEST(ParseQuantity, CapitalKIsAmbiguous) {
  EXPECT_EQ(problem<Bytes>("80 KB"),
            R"("80 KB" is ambiguous (write "kB" for 1000 or "KiB" for 1024))");
}

TEST(ParseQuantity, RejectsTextOutsideTheGrammar) {
  for (const char* text :
       {"",         "-",     "GB",    "1 GB x", "1 GB ", " 1 GB",  "1 G B", "1,5 GB",
        "1.5.2 GB", "nan B", "inf B", "0x10 B", "1 gb",  "1 mb",   "1 mB",  "1 B2",
        "1 B/",     "1 %",   "1 //B", "--1 B",  "1 GGB", "1 GiGB", ". B"}) {
    EXPECT_NE(problem<Bytes>(text), "") << text;
  }
}

// Results computed from them would leave the range of a double.
TEST(ParseQuantity, RejectsImplausibleMagnitudes) {
  EXPECT_EQ(problem<BytesPerSecond>("1e-300 B/s"),
            R"("1e-300 B/s" is out of range (expected 0 B/s, or 1e-30 to 1e+30 B/s))");
  EXPECT_NE(problem<Bytes>("-1e31 B"), "");
  EXPECT_EQ(problem<Bytes>("0 B"), "");
  EXPECT_EQ(problem<Bytes>("-1e30 B"), "");
  EXPECT_EQ(problem<Seconds>("1e-15 fs"), "");
  EXPECT_NE(problem<Bytes>("1e999 B"), "");
  EXPECT_NE(problem<Bytes>("1e308 TB"), "");
  EXPECT_NE(problem<Bytes>("1e99999999999999999999 B"), "");
}

TEST(ParseQuantity, ThrowsAtTheFlag) {
  try {
    parse_quantity<Bytes>("big", {.file = "", .line = 0, .key = "--size"});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), R"(--size: "big" is not a size (expected e.g. "80 GiB"))");
  }
}

TEST(QuantityToText, PicksTheUsualPrefix) {
  EXPECT_EQ(to_text(BytesPerSecond(3.35e12)), "3.35 TB/s");
  EXPECT_EQ(to_text(Seconds(7.938e-3)), "7.938 ms");
  EXPECT_EQ(to_text(Bytes(100e6)), "100 MB");
  EXPECT_EQ(to_text(Seconds(350e-9)), "350 ns");
  EXPECT_EQ(to_text(Seconds(7200.0)), "7200 s");
  EXPECT_EQ(to_text(SquareMetres(814e-6)), "814 mm2");
  EXPECT_EQ(to_text(Dollars(25000.0)), "25000 USD");
  EXPECT_EQ(to_text(Watts(-700.0)), "-700 W");
  EXPECT_EQ(to_text(Bytes(0.0)), "0 B");
  EXPECT_EQ(to_text(Bytes(0.05)), "0.05 B");
  EXPECT_EQ(to_text(Seconds::infinity()), "inf s");
}

TEST(QuantityToText, RoundingMayReachTheNextPrefix) {
  EXPECT_EQ(to_text(Bytes(999'960.0)), "1 MB");
  EXPECT_EQ(to_text(Bytes(999'960.0), 5), "999.96 kB");
}

TEST(QuantityToText, EveryExampleIsReadable) {
  for (const Dimension dimension : {Seconds::kDimension,
                                    Hertz::kDimension,
                                    Bytes::kDimension,
                                    BytesPerSecond::kDimension,
                                    Flops::kDimension,
                                    FlopsPerSecond::kDimension,
                                    Joules::kDimension,
                                    JoulesPerByte::kDimension,
                                    JoulesPerFlop::kDimension,
                                    Watts::kDimension,
                                    Metres::kDimension,
                                    SquareMetres::kDimension,
                                    Volts::kDimension,
                                    Dollars::kDimension,
                                    Dimension{.data = 1, .length = -2},
                                    Dimension{.length = -2}}) {
    const auto parsed = try_parse_quantity(dimension_text(dimension).example, dimension);
    EXPECT_TRUE(std::holds_alternative<double>(parsed)) << dimension_text(dimension).example;
  }
}

constexpr std::array<Dimension, 6> kSome{Seconds::kDimension,
                                         Bytes::kDimension,
                                         JoulesPerByte::kDimension,
                                         SquareMetres::kDimension,
                                         Dollars::kDimension,
                                         Dimension{.time = -1, .data = 2, .length = -3}};

double any_number() {
  const auto mantissa = *rc::gen::inRange<std::int64_t>(-1'000'000'000'000, 1'000'000'000'000);
  const auto exponent = *rc::gen::inRange(-29, 18);
  return static_cast<double>(mantissa) * std::pow(10.0, exponent);
}

RC_GTEST_PROP(QuantityTextProperty, PrintedTextReadsBackWithinOneInAThousand, ()) {
  const Dimension dimension = kSome.at(*rc::gen::inRange<std::size_t>(0, kSome.size()));
  const double value = any_number();

  const auto back = try_parse_quantity(quantity_to_text(value, dimension), dimension);

  RC_ASSERT(std::abs(std::get<double>(back) - value) <= 1e-3 * std::abs(value));
}

RC_GTEST_PROP(QuantityTextProperty, EnoughDigitsReadBackExactly, ()) {
  const Dimension dimension = kSome.at(*rc::gen::inRange<std::size_t>(0, kSome.size()));
  const double value = any_number();

  const auto back = try_parse_quantity(quantity_to_text(value, dimension, kExactDigits), dimension);

  RC_ASSERT(std::get<double>(back) == value);
}

RC_GTEST_PROP(QuantityTextProperty, AnyTextIsReadOrRefused, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::element('0', '1', '9', '.', 'e', '-', '+', ' ', 'G', 'K', 'i', 'B', '/', 's', 'm'));

  const auto parsed = try_parse_quantity(text, BytesPerSecond::kDimension);

  const auto* value = std::get_if<double>(&parsed);
  const bool sound = value == nullptr || std::isfinite(*value);
  RC_ASSERT(sound);
}

TEST(AnyQuantity, HasTheDimensionOfItsUnit) {
  EXPECT_EQ(any_quantity_in("25 GB/s"), (AnyQuantity{25e9, BytesPerSecond::kDimension}));
  EXPECT_EQ(any_quantity_in("1 GB"), any_quantity_in("1000 MB"));
  EXPECT_NE(any_quantity_in("1 GB"), any_quantity_in("1 GiB"));
  EXPECT_EQ(any_quantity_in("-2us"), (AnyQuantity{-2e-6, Seconds::kDimension}));
  for (const char* none : {"8", "8x8", "ring:8@25GB/s,500ns", "fast", "", "GB", "1 KB"}) {
    EXPECT_FALSE(any_quantity_in(none)) << none;
  }
}

}  // namespace
}  // namespace cairn
