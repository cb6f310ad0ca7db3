// The search space as numbers: axes, and points on them. Their meaning is up to the caller.
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
  kNumber,  // continuous, from `low` to `high`
  kWhole,   // whole numbers only
  kChoice,  // 0, 1, ... `high`: unordered
};

// An axis exists only if an earlier one has one of these values.
struct Condition {
  std::size_t axis = 0;
  std::vector<double> values{};
};

using Point = std::vector<double>;  // by axis

// Restricts the values of a choice, depending on the values of earlier axes.
struct Restriction {
  std::vector<std::size_t> axes{};
  std::map<Point, std::vector<double>> choices{};  // by `Space::value_or_absent` of these
};

struct Axis {
  std::string name{};
  AxisKind kind = AxisKind::kNumber;
  double low = 0.0;
  double high = 1.0;
  bool logarithmic = false;  // uniform in the logarithm
  std::optional<Condition> condition{};
  std::optional<Restriction> restriction{};

  // The value at a position in the range, from 0 to 1.
  [[nodiscard]] double at(double position) const {
    return logarithmic ? low * std::pow(high / low, position) : low + (high - low) * position;
  }

  static Axis choice(std::string name, std::size_t count) {
    return {.name = std::move(name),
            .kind = AxisKind::kChoice,
            .high = static_cast<double>(count) - 1.0};
  }
};

struct Space {
  std::vector<Axis> axes{};
  // Continuous axes that are parts of one budget: their sum is at most 1.
  std::vector<std::vector<std::size_t>> budgets{};

  [[nodiscard]] bool exists(std::size_t axis, const Point& point) const;

  // Infinity where the axis does not exist.
  [[nodiscard]] double value_or_absent(std::size_t axis, const Point& point) const;

  // The choices allowed by the point's earlier axes; nullptr: no restriction.
  [[nodiscard]] const std::vector<double>* choices(std::size_t axis, const Point& point) const;

  // The normal form: clamped to bounds, rounded where whole, an allowed choice, parts of a budget
  // scaled down to a sum of 1, `low` where an axis does not exist. Equivalent points become equal.
  [[nodiscard]] Point normal(Point point) const;

  // Whether it has a value for each axis, within bounds and whole where required.
  [[nodiscard]] bool contains(const Point& point) const;

  [[nodiscard]] bool has_numbers() const;

  // The number of points; std::nullopt with continuous axes. Counting may stop above `max_count`:
  // the result is then above `max_count`, but may be too small.
  [[nodiscard]] std::optional<double> size(
      double max_count = std::numeric_limits<double>::infinity()) const;

  // The same for whole numbers and choices alone.
  [[nodiscard]] double combinations(
      double max_count = std::numeric_limits<double>::infinity()) const;

  // All points, the last axis fastest. Continuous axes stay at `low`.
  [[nodiscard]] std::vector<Point> all_points() const;
};

}  // namespace cairn::search
