#include "cairn/search/gradient_descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cairn/search/project.hpp"

namespace cairn::search {

namespace {

constexpr double kMinChange = 1e-3;  // of a parameter that is 0

// Added to the objective, which is normalized to 1, per 100 % of constraint violation: large enough
// that a violation hardly ever pays.
constexpr double kPenalty = 10.0;

// Increase of the objective assumed at an infeasible point: it doubles.
constexpr double kInfeasibleIncrease = 1.0;

constexpr std::size_t kMaxStarts = 10;  // per descent, until one is feasible

double length(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  double sum = 0.0;
  for (const std::size_t place : places) {
    sum += values[place] * values[place];
  }
  return std::sqrt(sum);
}

void scale(std::vector<double>& values, const std::vector<std::size_t>& places, double by) {
  for (const std::size_t place : places) {
    values[place] *= by;
  }
}

double sum_of(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  double sum = 0.0;
  for (const std::size_t place : places) {
    sum += values[place];
  }
  return sum;
}

}  // namespace

GradientDescent::GradientDescent(Space space, const GradientDescentOptions& options)
    : space_(std::move(space)), options_(options), dice_(options.seed) {
  for (std::size_t a = 0; a < space_.axes.size(); ++a) {
    if (space_.axes[a].kind == AxisKind::kNumber) {
      numbers_.push_back(a);
    }
  }
  in_budget_.resize(numbers_.size());
  for (const auto& budget : space_.budgets) {
    auto& parts = parts_.emplace_back();
    for (const std::size_t axis : budget) {
      const auto place =
          static_cast<std::size_t>(std::ranges::find(numbers_, axis) - numbers_.begin());
      parts.push_back(place);
      in_budget_[place] = true;
    }
  }
  for (const Point& fixed : space_.all_points()) {
    for (std::size_t s = 0; s < options_.starts; ++s) {
      Walker walker{.point = fixed};
      start(walker,
            s == 0 && !options_.begin.empty() ? options_.begin : random_point(space_, dice_));
      walkers_.push_back(std::move(walker));
    }
  }
}

// Moves to `point`, except for whole numbers and choices.
void GradientDescent::start(Walker& walker, Point point) const {
  for (const std::size_t axis : numbers_) {
    walker.point[axis] = point[axis];
  }
  walker.point = space_.normal(std::move(walker.point));
  walker.mean = options_.descent == Descent::kPaper ? parameters(walker)
                                                    : std::vector<double>(numbers_.size(), 0.0);
}

std::vector<double> GradientDescent::parameters(const Walker& walker) const {
  std::vector<double> w;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    w.push_back(scaled(i, walker.point[numbers_[i]]));
  }
  return w;
}

void GradientDescent::go_to(Walker& walker, const std::vector<double>& w) const {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    walker.point[numbers_[i]] = unscaled(i, w[i]);
  }
  walker.point = space_.normal(std::move(walker.point));
}

double GradientDescent::scaled(std::size_t number, double value) const {
  const Axis& axis = space_.axes[numbers_[number]];
  if (in_budget_[number]) {
    return value;
  }
  if (axis.high == axis.low) {
    return 0.0;
  }
  return axis.logarithmic ? std::log(value / axis.low) / std::log(axis.high / axis.low)
                          : (value - axis.low) / (axis.high - axis.low);
}

double GradientDescent::unscaled(std::size_t number, double part) const {
  const Axis& axis = space_.axes[numbers_[number]];
  return in_budget_[number] ? part : axis.at(std::clamp(part, 0.0, 1.0));
}

// Not normalized: other parts of a budget are unchanged.
Point GradientDescent::changed(const Walker& walker, std::size_t number) const {
  Point point = walker.point;
  double& value = point[numbers_[number]];
  const double part = scaled(number, value);
  const double by = std::max(options_.difference * std::abs(part), kMinChange);
  const Axis& axis = space_.axes[numbers_[number]];
  const auto within = [&](double there) {
    return std::clamp(unscaled(number, there), axis.low, axis.high);
  };
  const double more = within(part + by);
  value = more == value ? within(part - by) : more;
  return point;
}

std::vector<Point> GradientDescent::ask() {
  std::vector<Point> points;
  for (const Walker& walker : walkers_) {
    if (walker.ended) {
      continue;
    }
    points.push_back(walker.point);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      points.push_back(space_.normal(changed(walker, i)));
    }
  }
  return points;
}

void GradientDescent::tell(std::span<const Outcome> outcomes) {
  const std::size_t each = numbers_.size() + 1;
  std::size_t first = 0;
  for (Walker& walker : walkers_) {
    if (!walker.ended) {
      step(walker, outcomes.subspan(first, each));
      first += each;
    }
  }
}

void GradientDescent::go_back(Walker& walker) {
  if (walker.last.empty()) {
    start(walker, random_point(space_, dice_));
    walker.ended = walker.ended || walker.steps >= kMaxStarts;
    return;
  }
  std::vector<double> w = parameters(walker);
  double moved = 0.0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = std::midpoint(w[i], walker.last[i]);
    walker.mean[i] = std::midpoint(walker.mean[i], walker.last_mean[i]);
    moved = std::max(moved, std::abs(w[i] - walker.last[i]));
  }
  go_to(walker, w);
  walker.ended = walker.ended || moved < options_.tolerance;
}

void GradientDescent::step(Walker& walker, std::span<const Outcome> outcomes) {
  walker.ended = ++walker.steps > options_.steps;
  const double first = outcomes.front().objectives.front();
  if (!std::isfinite(first) || !std::isfinite(outcomes.front().constraint_violation)) {
    go_back(walker);
    return;
  }
  const double unit = first != 0.0 ? std::abs(first) : 1.0;
  const auto value = [&](const Outcome& outcome) {
    return outcome.objectives.front() / unit + kPenalty * outcome.constraint_violation;
  };
  const double here = value(outcomes.front());
  std::vector<double> w = parameters(walker);
  walker.last = w;
  walker.last_mean = walker.mean;
  std::vector<double> gradient;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const double by = scaled(i, changed(walker, i)[numbers_[i]]) - w[i];
    const double there = value(outcomes[i + 1]);
    const double worse = std::isfinite(there) ? there - here : kInfeasibleIncrease;
    gradient.push_back(by != 0.0 ? worse / by : 0.0);
  }
  if (options_.descent == Descent::kProgram) {
    for (const auto& parts : parts_) {
      const double steepness = length(gradient, parts);
      scale(gradient, parts, steepness > 0.0 ? 1.0 / steepness : 0.0);
    }
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] -= options_.rate * gradient[i];
  }
  if (options_.descent == Descent::kProgram) {
    step_as_programmed(w, walker.mean);
  } else {
    step_as_printed(w, walker.mean);
  }
  double moved = 0.0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    moved = std::max(moved, std::abs(w[i] - walker.last[i]));
  }
  go_to(walker, w);
  walker.ended = walker.ended || moved < options_.tolerance;
}

void GradientDescent::step_as_printed(std::vector<double>& w, std::vector<double>& mean) const {
  if (options_.norm == Norm::kEuclidean) {
    double squares = 0.0;
    for (const double value : w) {
      squares += value * value;
    }
    for (double& value : w) {
      value /= squares > 0.0 ? std::sqrt(squares) : 1.0;
    }
  } else if (options_.norm == Norm::kSum) {
    for (const auto& parts : parts_) {
      for (const std::size_t part : parts) {
        w[part] = std::max(0.0, w[part]);
      }
      const double sum = sum_of(w, parts);
      scale(w, parts, sum > 0.0 ? 1.0 / sum : 1.0);
    }
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    mean[i] = options_.averaging * mean[i] + (1.0 - options_.averaging) * w[i];
    w[i] = in_budget_[i] ? mean[i] : std::clamp(mean[i], 0.0, 1.0);
  }
  for (const auto& parts : parts_) {
    std::vector<double> budget;
    for (const std::size_t part : parts) {
      budget.push_back(w[part]);
    }
    project_onto_budget(budget);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      w[parts[i]] = budget[i];
    }
  }
}

void GradientDescent::step_as_programmed(std::vector<double>& w, std::vector<double>& mean) const {
  constexpr double kInsteadOfNegative = 0.01;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double value = w[i] <= 0.0 ? kInsteadOfNegative : w[i];
    mean[i] = options_.averaging * mean[i] + (1.0 - options_.averaging) * value;
    w[i] = in_budget_[i] ? mean[i] : std::clamp(mean[i], 0.0, 1.0);
  }
  for (const auto& parts : parts_) {
    scale(w, parts, 1.0 / sum_of(w, parts));
  }
}

}  // namespace cairn::search
