// Rate of a resource over time, reconstructed from the amount that each span drew and when it ran.
// A span draws evenly unless that exceeds the capacity; the excess moves to the nearest time within
// the span at which capacity is left.
#pragma once

#include <span>
#include <vector>

#include "cairn/base/quantity.hpp"

namespace cairn::report {

// A span requested `drawn` units at `asked`, most likely drew from `begin`, and completed at `end`.
struct DrawTime {
  Seconds asked{0.0};
  Seconds begin{0.0};
  Seconds end{0.0};
  double drawn = 0.0;
};

// Rate from `at` until the next point.
struct RatePoint {
  Seconds at{0.0};
  double rate = 0.0;  // units per second
};

// Sorted by time; the last rate is 0. The integral equals the sum of all draws. Rates stay within
// `capacity` (units per second) if that is possible, and exceed it only where necessary.
std::vector<RatePoint> drawn_rate(std::span<const DrawTime> draws, double capacity);

}  // namespace cairn::report
