#include "cairn/explore/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cairn/base/quantity_text.hpp"
#include "cairn/explore/summary.hpp"

namespace cairn::explore {

namespace {

using report::Chart;
using report::ChartKind;
using report::Series;

constexpr std::size_t kMaxLines = 8;  // distinguishable lines

// Axis scale of a metric: "step_time (ms)", and the divisor of SI figures.
struct Scale {
  std::string title{};
  double unit = 1.0;
};

Scale scale_of(const Metric& metric, double most) {
  struct Prefix {
    double unit;
    const char* letter;
  };

  constexpr std::array<Prefix, 9> kPrefixes{{{1e12, "T"},
                                             {1e9, "G"},
                                             {1e6, "M"},
                                             {1e3, "k"},
                                             {1.0, ""},
                                             {1e-3, "m"},
                                             {1e-6, "u"},
                                             {1e-9, "n"},
                                             {1e-12, "p"}}};
  const auto prefix = std::ranges::find_if(
      kPrefixes, [&](const Prefix& candidate) { return most >= candidate.unit; });
  const auto [unit, letter] = prefix == kPrefixes.end() || metric.dimension == Dollars::kDimension
                                  ? Prefix{1.0, ""}
                                  : *prefix;
  return {fmt::format("{} ({}{})", metric.name, letter, dimension_text(metric.dimension).unit),
          unit};
}

// Maximum over the trials that satisfy all limits.
double max_of(const Request& request, const Exploration& found, const Metric& metric) {
  double most = 0.0;
  for (const DesignTrial& trial : found.trials) {
    if (outcome_of(trial.finding, request).is_feasible()) {
      most = std::max(most, trial.finding.figure(metric));
    }
  }
  return most;
}

Chart convergence(const Request& request, const Exploration& found, const Metric& objective) {
  const Scale scale =
      scale_of(objective, found.trials[found.front.front()].finding.figure(objective));
  Chart chart{.name = fmt::format("convergence-{}", objective.name),
              .title = "best so far",
              .kind = ChartKind::kSteps,
              .x = {.title = "trial"},
              .y = {.title = scale.title},
              .series = {{.name = std::string(objective.name)}}};
  Series& series = chart.series.front();
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < found.trials.size(); ++i) {
    const Finding& finding = found.trials[i].finding;
    const bool counts = outcome_of(finding, request).is_feasible();
    // Only points where it changes, and the last.
    if ((counts && finding.figure(objective) < best) || i + 1 == found.trials.size()) {
      best = counts ? std::min(best, finding.figure(objective)) : best;
      series.x.push_back(static_cast<double>(i + 1));
      series.y.push_back(best / scale.unit);
    }
  }
  return chart;
}

Chart front(const Request& request, const Exploration& found) {
  const Metric& x = *request.objectives[0];
  const Metric& y = *request.objectives[1];
  const Scale x_scale = scale_of(x, max_of(request, found, x));
  const Scale y_scale = scale_of(y, max_of(request, found, y));
  Chart chart{.name = "front",
              .title = fmt::format("Pareto front, {} designs", found.front.size()),
              .kind = ChartKind::kPoints,
              .x = {.title = x_scale.title},
              .y = {.title = y_scale.title},
              .series = {{.name = "tried"}, {.name = "Pareto front"}}};
  const auto add = [&](Series& series, const DesignTrial& trial) {
    series.x.push_back(trial.finding.figure(x) / x_scale.unit);
    series.y.push_back(trial.finding.figure(y) / y_scale.unit);
  };
  for (const DesignTrial& trial : found.trials) {
    if (outcome_of(trial.finding, request).is_feasible()) {
      add(chart.series[0], trial);
    }
  }
  for (const std::size_t member : found.front) {
    add(chart.series[1], found.trials[member]);
  }
  return chart;
}

// Position of a value on its axis, from 0 to 1.
double part_of_range(const search::Axis& axis, double value) {
  if (axis.high <= axis.low) {
    return 0.0;
  }
  return axis.logarithmic ? std::log(value / axis.low) / std::log(axis.high / axis.low)
                          : (value - axis.low) / (axis.high - axis.low);
}

Chart parallel(const Request& request, const Exploration& found) {
  const auto& axes = request.designs.space.axes;
  Chart chart{.name = "designs",
              .title = "best designs",
              .kind = ChartKind::kProfiles,
              .y = {.title = "fraction of the range; objectives: fraction of the maximum"}};
  for (const search::Axis& axis : axes) {
    chart.categories.push_back(axis.name.substr(axis.name.rfind('.') + 1));
  }
  for (const Metric* objective : request.objectives) {
    chart.categories.emplace_back(objective->name);
  }
  auto best = shown(request, found);
  best.resize(std::min(best.size(), kMaxLines));
  for (std::size_t b = 0; b < best.size(); ++b) {
    const DesignTrial& trial = found.trials[best[b]];
    Series series{.name = fmt::format("best-{}", b + 1)};
    for (std::size_t a = 0; a < axes.size(); ++a) {
      series.y.push_back(request.designs.space.exists(a, trial.point)
                             ? part_of_range(axes[a], trial.point[a])
                             : std::nan(""));
    }
    for (const Metric* objective : request.objectives) {
      double most = 0.0;
      for (const std::size_t other : best) {
        most = std::max(most, found.trials[other].finding.figure(*objective));
      }
      series.y.push_back(most > 0.0 ? trial.finding.figure(*objective) / most : 0.0);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<Chart> exploration_charts(const Request& request, const Exploration& found) {
  std::vector<Chart> charts;
  for (const Metric* objective : request.objectives) {
    charts.push_back(convergence(request, found, *objective));
  }
  if (request.objectives.size() > 1) {
    charts.push_back(front(request, found));
  }
  charts.push_back(parallel(request, found));
  return charts;
}

}  // namespace cairn::explore
