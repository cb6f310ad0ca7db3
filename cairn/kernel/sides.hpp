// Tile sides: cutting a length d into q parts needs a side of at least ceil(d / q); longer sides
// with the same q only waste work. So only O(sqrt(d)) sides are useful.
#pragma once

#include <cstdint>
#include <vector>

namespace cairn::kernel {

// ceil(a / b); exact also beyond the range of integers.
inline double parts(double a, double b) {
  constexpr double kExact = 4503599627370496.0;  // 2^52: from here, every double is an integer
  const double ratio = a / b;
  if (ratio >= kExact) {
    return ratio;
  }
  const auto whole = static_cast<double>(static_cast<std::int64_t>(ratio));
  return whole < ratio ? whole + 1.0 : whole;
}

// At most ceil(x) (1 + 1e-9), and nearly always ceil(x), for x >= 0, in three additions: adding a
// number whose neighbouring doubles are integers rounds x to the nearest.
inline double about_ceil(double x) {
  constexpr double kWhole = 6755399441055744.0;  // 1.5 * 2^52
  return (x + 0.499999 + kWhole) - kWhole;
}

// Factor on lower bounds, so that rounding never lifts them above the exact value.
inline constexpr double kBelowRounding = 1.0 - 1e-12;

// Calls visit(side, parts) for each useful side of `length` that is a multiple of `step` and at
// most `longest`, shortest first: parts = ceil(length / side), and no shorter multiple of the step
// gives as few parts.
template <class Visit>
void for_each_side(double length, double step, double longest, Visit&& visit) {
  const double steps = parts(length, step);
  double side = 1.0;
  while (side <= steps && side * step <= longest) {
    const double cuts = parts(steps, side);
    visit(side * step, cuts);
    if (cuts == 1.0) {
      return;
    }
    side = parts(steps, cuts - 1.0);
  }
}

// The same with step 1, longest first, until visit(side, parts) is false.
template <class Visit>
void for_each_side_from_longest(double length, Visit&& visit) {
  double cuts = 1.0;
  while (true) {
    const double side = parts(length, cuts);
    if (!visit(side, cuts) || side == 1.0) {
      return;
    }
    cuts = parts(length, side - 1.0);
  }
}

// The sides of for_each_side.
std::vector<double> useful_sides(double length, double step, double longest);

}  // namespace cairn::kernel
