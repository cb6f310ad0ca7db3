// Quantities as text. Grammar:
//
//   quantity = [sign] number [blanks] unit            "3.35 TB/s", "80 GiB", "25GB/s", "1e3 MB"
//   number   = digits ["." digits] [("e"|"E") [sign] digits]
//   unit     = [factor] { ("/" | "*") factor }        "W/mm2", "/cm2"
//   factor   = [prefix] symbol [exponent]             exponent: one digit, or "²"
//
//   symbol                          prefixes
//   s                               f p n u µ m
//   J W V                           f p n u µ m k M G T P E Z Y
//   m                               the same, and c
//   B, bit, b (1 bit = 1/8 B)       k M G T P E Z Y (1000^n), Ki Mi Gi Ti Pi Ei (1024^n)
//   flop, FLOP, Hz, USD, $          k M G T P E Z Y
//
// A bare number is never a quantity, not even 0. "KB" is refused because it means 1000 to some
// and 1024 to others, and "mb" because nobody means a thousandth of a bit.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn {

// The usual words for a dimension: name "bandwidth", unit "B/s", example "25 GB/s". A dimension
// without a name of its own is a "quantity" in its base units.
struct DimensionText {
  std::string name;
  std::string unit;
  std::string example;
};

DimensionText dimension_text(Dimension dimension);

// The expectation in a message: `a bandwidth (expected e.g. "25 GB/s")`.
std::string expected_text(Dimension dimension);

// The value in SI units, or an error message such as
// `"25 GB" is not a bandwidth (expected e.g. "25 GB/s")`.
std::variant<double, std::string> try_parse_quantity(std::string_view text, Dimension dimension);

// The value in SI units; throws ConfigError at `where`, which for a flag is Where{.key = "--size"}.
double parse_quantity_si(std::string_view text, Dimension dimension, const Where& where);

template <class Q>
Q parse_quantity(std::string_view text, const Where& where = {}) {
  return Q(parse_quantity_si(text, Q::kDimension, where));
}

inline constexpr int kReadableDigits = 4;  // relative error below 5e-4
inline constexpr int kExactDigits = 17;    // parses back to the same double

// `digits` significant digits, with the prefix that leaves 1 to 999 before the point where there is
// one: "3.35 TB/s", "7.938 ms", "100 MB", "814 mm2". Decimal prefixes only. parse_quantity reads it
// back, except for "inf B/s" and "nan B/s".
std::string quantity_to_text(double si, Dimension dimension, int digits = kReadableDigits);

template <Dimension D>
std::string to_text(Quantity<D> quantity, int digits = kReadableDigits) {
  return quantity_to_text(quantity.si(), D, digits);
}

}  // namespace cairn
