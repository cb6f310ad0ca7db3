// A picture of numbers, described.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/report/box.hpp"

namespace cairn::report {

enum class ChartKind : std::uint8_t {
  kGroupedBars,  // per category, a bar for each series
  kStackedBars,  // per category, one bar of all series
  kLines,        // y over x, a line for each series
  kSteps,        // likewise; y stays until the next x
  kPoints,       // likewise; points only
  kProfiles,     // per category, a point of each series, joined by lines
  kBoxes,        // per category, a box for each series: quartiles, from the least to the most
};

struct Axis {
  std::string title{};  // with its unit: "time (ms)"
  bool log = false;
};

// A value that is not a number is left out.
struct Series {
  std::string name{};
  std::vector<double> x{};  // not of bars and profiles
  std::vector<double> y{};  // of bars and profiles: by category
  // Drawn as marks beside y: what others published or measured. Empty or parallel to y; not of
  // stacked bars.
  std::vector<double> published{};
  std::vector<Box> boxes{};  // of kBoxes, by category, instead of y
};

// A horizontal line: a capacity, a target.
struct Level {
  std::string name{};
  double y = 0.0;
};

struct Chart {
  std::string name{};  // of its files
  std::string title{};
  ChartKind kind = ChartKind::kLines;
  Axis x{};
  Axis y{};
  std::vector<std::string> categories{};  // of bars, profiles and boxes; an empty one leaves a gap
  std::vector<Series> series{};
  std::vector<double> published_totals{};  // of stacked bars; empty or by category
  std::vector<Level> levels{};
  double band = 0.0;  // above 0: the line on which y is x, and this part of it above and below
};

}  // namespace cairn::report
