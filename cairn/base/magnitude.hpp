// The range of numbers accepted as input.
#pragma once

#include <cmath>

namespace cairn {

// No quantity of a machine is outside this range in SI units, and results computed from several of
// them stay within the range of a double.
inline constexpr double kSmallestInput = 1e-30;  // except 0
inline constexpr double kLargestInput = 1e30;

inline bool has_sensible_magnitude(double number) {
  const double magnitude = std::abs(number);
  return magnitude == 0.0 || (magnitude >= kSmallestInput && magnitude <= kLargestInput);
}

}  // namespace cairn
