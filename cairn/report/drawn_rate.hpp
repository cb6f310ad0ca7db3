// The rate at which a resource gives over time, from what each span drew and when it ran. A span
// draws evenly unless the resource cannot give that much at once: then what is too much is drawn at
// the nearest time, while the same span was under way, at which there is room.
#pragma once

#include <span>
#include <vector>

#include "cairn/base/quantity.hpp"

namespace cairn::report {

// A span asked for `drawn` units at `asked`, drew most likely from `begin`, and had them at `end`.
struct DrawTime {
  Seconds asked{0.0};
  Seconds begin{0.0};
  Seconds end{0.0};
  double drawn = 0.0;
};

// From `at` to the next one's time.
struct RatePoint {
  Seconds at{0.0};
  double rate = 0.0;  // units per second
};

// By time; the last has no rate. Never above `capacity` (units per second), and all that was drawn,
// if it can be drawn so at all; else above it where it must be.
std::vector<RatePoint> drawn_rate(std::span<const DrawTime> draws, double capacity);

}  // namespace cairn::report
