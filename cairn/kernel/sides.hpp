// Sides of tiles: cutting something of length d into q equal parts needs parts of ceil(d / q); any
// other side cuts it into as many parts that are longer. So only O(sqrt(d)) sides are useful.
#pragma once

#include <cstdint>
#include <vector>

namespace cairn::kernel {

// ceil(a / b), for what may be too large for a whole number.
inline double parts(double a, double b) {
  constexpr double kExact = 4503599627370496.0;  // 2^52: beyond, every double is whole
  const double ratio = a / b;
  if (ratio >= kExact) {
    return ratio;
  }
  const auto whole = static_cast<double>(static_cast<std::int64_t>(ratio));
  return whole < ratio ? whole + 1.0 : whole;
}

// At most ceil(x) (1 + 1e-9), and nearly always ceil(x), for x >= 0, in three additions: to a
// number so large that doubles beside it are whole, x is rounded to the nearest.
inline double about_ceil(double x) {
  constexpr double kWhole = 6755399441055744.0;  // 1.5 * 2^52
  return (x + 0.499999 + kWhole) - kWhole;
}

// What a bound is multiplied by that is computed in another way than what it bounds, so that
// rounding does not lift it above that.
inline constexpr double kBelowRounding = 1.0 - 1e-12;

// Calls visit(side, parts) for each useful side of `length` that is a multiple of `step` and at
// most `most`, from the shortest: parts = ceil(length / side), and no shorter multiple of the step
// cuts it into as few.
template <class Visit>
void for_each_side(double length, double step, double most, Visit&& visit) {
  const double steps = parts(length, step);
  double side = 1.0;
  while (side <= steps && side * step <= most) {
    const double cuts = parts(steps, side);
    visit(side * step, cuts);
    if (cuts == 1.0) {
      return;
    }
    side = parts(steps, cuts - 1.0);
  }
}

// The same from the longest, of all multiples of 1, until visit(side, parts) is false.
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

// The sides themselves.
std::vector<double> useful_sides(double length, double step, double most);

}  // namespace cairn::kernel
