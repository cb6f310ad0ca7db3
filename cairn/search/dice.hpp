// Random numbers that are the same everywhere for the same seed (the standard library's
// distributions are not).
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "cairn/search/space.hpp"

namespace cairn::search {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  // In [0, 1), with the 53 bits that a double has.
  double unit() { return static_cast<double>(bits_() >> 11U) * 0x1p-53; }

 private:
  std::mt19937_64 bits_;
};

// Uniform over the space; for a budget, uniform over all divisions of the whole budget.
inline Point random_point(const Space& space, Dice& dice) {
  Point point(space.axes.size());
  for (std::size_t a = 0; a < point.size(); ++a) {
    Axis axis = space.axes[a];
    if (axis.kind == AxisKind::kNumber) {
      point[a] = axis.at(dice.unit());
    } else {
      axis.high += 1.0;  // so that the last value is as likely as the others
      point[a] = std::floor(axis.at(dice.unit()));
    }
  }
  // Exponentially distributed parts, divided by their sum, are uniform on the simplex.
  for (const auto& budget : space.budgets) {
    double sum = 0.0;
    for (const std::size_t axis : budget) {
      point[axis] = -std::log1p(-dice.unit());
      sum += point[axis];
    }
    for (const std::size_t axis : budget) {
      point[axis] /= sum;
    }
  }
  return space.normal(std::move(point));
}

}  // namespace cairn::search
