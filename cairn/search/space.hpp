// What may vary, as numbers: axes, and points on them. What a number means, others know.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::search {

enum class AxisKind : std::uint8_t {
  kNumber,  // any from `low` to `high`
  kWhole,   // whole ones only
  kChoice,  // 0, 1, ... `high`: in no order
};

// An axis is there only if an earlier one has one of these values.
struct Condition {
  std::size_t axis = 0;
  std::vector<double> values{};
};

using Point = std::vector<double>;  // by axis

// A choice of which not all may be chosen, depending on what earlier axes are.
struct Restriction {
  std::vector<std::size_t> axes{};
  std::map<Point, std::vector<double>> choices{};  // by `Space::value_or_absent` of these
};

struct Axis {
  std::string name{};
  AxisKind kind = AxisKind::kNumber;
  double low = 0.0;
  double high = 1.0;
  bool logarithmic = false;  // equal ratios are equally likely, not equal differences
  std::optional<Condition> condition{};
  std::optional<Restriction> restriction{};

  // What lies at a part of the range, from 0 to 1.
  [[nodiscard]] double at(double part) const {
    return logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
  }

  static Axis choice(std::string name, std::size_t count) {
    return {.name = std::move(name),
            .kind = AxisKind::kChoice,
            .high = static_cast<double>(count) - 1.0};
  }
};

struct Space {
  std::vector<Axis> axes{};
  // Axes of numbers that are parts of one budget: their sum is at most 1.
  std::vector<std::vector<std::size_t>> budgets{};

  [[nodiscard]] bool is_there(std::size_t axis, const Point& point) const;

  // Infinity where the axis is not there.
  [[nodiscard]] double value_or_absent(std::size_t axis, const Point& point) const;

  // What may be chosen where earlier axes are as in the point; nothing: all that there is.
  [[nodiscard]] const std::vector<double>* choices(std::size_t axis, const Point& point) const;

  // The point that is meant: within bounds, whole where it must be, one of the choices that there
  // are, parts of a budget scaled down to their sum, `low` where an axis is not there. Two points
  // that mean the same become equal.
  [[nodiscard]] Point normal(Point point) const;

  // Whether it has a value for each axis, within its bounds and whole where it must be.
  [[nodiscard]] bool contains(const Point& point) const;

  [[nodiscard]] bool has_numbers() const;

  // How many points there are; nothing, if there are numbers among the axes. Not all are counted
  // where there are more than `most`: then it is above `most`, but may be too little.
  [[nodiscard]] std::optional<double> size(
      double most = std::numeric_limits<double>::infinity()) const;

  // The same of whole numbers and choices, whatever numbers are.
  [[nodiscard]] double combinations(double most = std::numeric_limits<double>::infinity()) const;

  // All of them, the last axis fastest. Only if there are no numbers among the axes, or these are
  // to stay at `low`.
  [[nodiscard]] std::vector<Point> all_points() const;
};

}  // namespace cairn::search
