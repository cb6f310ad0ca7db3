// Description of a chart, independent of how it is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/report/box.hpp"

namespace cairn::report {

enum class ChartKind : std::uint8_t {
  kGroupedBars,  // one bar per series in each category
  kStackedBars,  // one bar per category, series stacked
  kLines,        // y over x, one line per series
  kSteps,        // as kLines; y is constant until the next x
  kPoints,       // as kLines; points only
  kProfiles,     // one point per series in each category, connected by lines
  kBoxes,        // one box per series in each category: quartiles, whiskers to min and max
};

struct Axis {
  std::string title{};  // with its unit: "time (ms)"
  bool log = false;
};

// NaN values are not drawn.
struct Series {
  std::string name{};
  std::vector<double> x{};  // unused by bars and profiles
  std::vector<double> y{};  // bars and profiles: one value per category
  // Published or measured values, drawn as marks beside y. Empty or parallel to y; unused by
  // stacked bars.
  std::vector<double> published{};
  std::vector<Box> boxes{};  // kBoxes: one per category, instead of y
};

// A horizontal line: a capacity, a target.
struct Level {
  std::string name{};
  double y = 0.0;
};

struct Chart {
  std::string name{};  // stem of its file names
  std::string title{};
  ChartKind kind = ChartKind::kLines;
  Axis x{};
  Axis y{};
  std::vector<std::string> categories{};  // bars, profiles and boxes; an empty name is a gap
  std::vector<Series> series{};
  std::vector<double> published_totals{};  // stacked bars: one per category, or empty
  std::vector<Level> levels{};
  double band = 0.0;  // above 0: draw y = x and y = (1 +- band) x
};

}  // namespace cairn::report
