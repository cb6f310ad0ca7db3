// How values are spread, in five numbers.
#pragma once

#include <array>
#include <vector>

namespace cairn::report {

struct Box {
  double least = 0.0;
  double lower = 0.0;  // quartile
  double median = 0.0;
  double upper = 0.0;  // quartile
  double most = 0.0;
};

inline constexpr std::array kBoxParts{
    "least", "lower quartile", "median", "upper quartile", "most"};

// Its numbers in this order.
std::array<double, kBoxParts.size()> numbers_of(const Box& box);

// Of at least one value. With x_0 <= ... <= x_(n-1), the quantile p is at position p (n - 1),
// between two values in proportion (Hyndman and Fan 1996, definition 7: what NumPy and R do).
Box box_of(std::vector<double> values);

}  // namespace cairn::report
