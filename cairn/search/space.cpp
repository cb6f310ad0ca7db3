#include "cairn/search/space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cairn::search {

bool Space::exists(std::size_t axis, const Point& point) const {
  const auto& condition = axes[axis].condition;
  return !condition ||
         (exists(condition->axis, point) &&
          std::ranges::find(condition->values, point[condition->axis]) != condition->values.end());
}

double Space::value_or_absent(std::size_t axis, const Point& point) const {
  return exists(axis, point) ? point[axis] : std::numeric_limits<double>::infinity();
}

const std::vector<double>* Space::choices(std::size_t axis, const Point& point) const {
  static const std::vector<double> kNone;
  const auto& restriction = axes[axis].restriction;
  if (!restriction) {
    return nullptr;
  }
  Point key;
  for (const std::size_t earlier : restriction->axes) {
    key.push_back(value_or_absent(earlier, point));
  }
  const auto found = restriction->choices.find(key);
  return found == restriction->choices.end() ? &kNone : &found->second;
}

Point Space::normal(Point point) const {
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const Axis& axis = axes[a];
    if (!exists(a, point)) {
      point[a] = axis.low;
      continue;
    }
    if (axis.kind != AxisKind::kNumber) {
      point[a] = std::round(point[a]);
    }
    point[a] = std::clamp(point[a], axis.low, axis.high);
    const std::vector<double>* choices_here = choices(a, point);
    if (choices_here != nullptr && !choices_here->empty() &&
        std::ranges::find(*choices_here, point[a]) == choices_here->end()) {
      const double part = point[a] / (axis.high + 1.0);  // keeps uniform points uniform
      point[a] = (*choices_here)[static_cast<std::size_t>(
          part * static_cast<double>(choices_here->size()))];
    }
  }
  for (const auto& budget : budgets) {
    double sum = 0.0;
    double sum_of_lows = 0.0;
    for (const std::size_t axis : budget) {
      sum += point[axis];
      sum_of_lows += axes[axis].low;
    }
    if (sum > 1.0) {  // shrink the parts above the lower bounds
      for (const std::size_t axis : budget) {
        const double low = axes[axis].low;
        point[axis] = low + (point[axis] - low) * (1.0 - sum_of_lows) / (sum - sum_of_lows);
      }
    }
  }
  return point;
}

bool Space::contains(const Point& point) const {
  if (point.size() != axes.size()) {
    return false;
  }
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const bool is_within = point[a] >= axes[a].low && point[a] <= axes[a].high;
    const bool is_whole = point[a] == std::floor(point[a]);
    if (!is_within || (axes[a].kind != AxisKind::kNumber && !is_whole)) {
      return false;
    }
  }
  return true;
}

bool Space::has_numbers() const {
  return std::ranges::any_of(axes, [](const Axis& axis) { return axis.kind == AxisKind::kNumber; });
}

namespace {

double values_on(const Axis& axis) {
  return axis.kind == AxisKind::kNumber ? 1.0 : axis.high - axis.low + 1.0;
}

// Calls `visit` with every point that shares the first axes of `point`, until it returns false.
template <class Visit>
bool walk(const Space& space, std::size_t axis, Point& point, const Visit& visit) {
  if (axis == space.axes.size()) {
    return visit(point);
  }
  const bool there = space.exists(axis, point);
  if (const auto* choices = there ? space.choices(axis, point) : nullptr) {
    return std::ranges::all_of(*choices, [&](double choice) {
      point[axis] = choice;
      return walk(space, axis + 1, point, visit);
    });
  }
  const double count = there ? values_on(space.axes[axis]) : 1.0;
  for (double i = 0.0; i < count; i += 1.0) {
    point[axis] = space.axes[axis].low + i;
    if (!walk(space, axis + 1, point, visit)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<double> Space::size(double max_count) const {
  return has_numbers() ? std::nullopt : std::optional(combinations(max_count));
}

double Space::combinations(double max_count) const {
  const bool depend = std::ranges::any_of(axes, [](const Axis& axis) {
    return axis.condition.has_value() || axis.restriction.has_value();
  });
  if (!depend) {
    return std::accumulate(axes.begin(), axes.end(), 1.0, [](double product, const Axis& axis) {
      return product * values_on(axis);
    });
  }
  double count = 0.0;
  Point point(axes.size());
  walk(*this, 0, point, [&](const Point&) {
    count += 1.0;
    return count <= max_count;
  });
  return count;
}

std::vector<Point> Space::all_points() const {
  std::vector<Point> all;
  Point point(axes.size());
  walk(*this, 0, point, [&](const Point& one) {
    all.push_back(one);
    return true;
  });
  return all;
}

}  // namespace cairn::search
