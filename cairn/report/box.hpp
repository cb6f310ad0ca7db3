// Five-number summary of a distribution.
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

// The five numbers, in the order of kBoxParts.
std::array<double, kBoxParts.size()> numbers_of(const Box& box);

// Precondition: at least one value. With x_0 <= ... <= x_(n-1), the quantile p is at position
// p (n - 1), linearly interpolated (Hyndman and Fan 1996, definition 7: default of NumPy and R).
Box box_of(std::vector<double> values);

}  // namespace cairn::report
