// How large and how small numbers of the input may be.
#pragma once

#include <cmath>

namespace cairn {

// No quantity of a machine is beyond these in SI units, and what is computed from some of them
// stays far from the ends of a double.
inline constexpr double kSmallestInput = 1e-30;  // but for 0
inline constexpr double kLargestInput = 1e30;

inline bool has_sensible_magnitude(double number) {
  const double magnitude = std::abs(number);
  return magnitude == 0.0 || (magnitude >= kSmallestInput && magnitude <= kLargestInput);
}

}  // namespace cairn
