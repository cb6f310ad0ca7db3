#include "cairn/explore/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/quantity_text.hpp"
#include "cairn/explore/text.hpp"

namespace cairn::explore {

namespace {

using report::Chart;
using report::ChartKind;
using report::Series;

constexpr std::size_t kMostLines = 8;  // that are told apart

std::string title_of(const Metric& metric) {
  return fmt::format("{} ({})", metric.name, dimension_text(metric.dimension).unit);
}

Chart convergence(const Request& request, const Exploration& found, const Metric& objective) {
  Chart chart{.name = fmt::format("convergence-{}", objective.name),
              .title = "best so far",
              .kind = ChartKind::kSteps,
              .x = {.title = "trial"},
              .y = {.title = title_of(objective)},
              .series = {{.name = std::string(objective.name)}}};
  Series& series = chart.series.front();
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < found.trials.size(); ++i) {
    const Finding& finding = found.trials[i].finding;
    const bool counts = outcome_of(finding, request).keeps_constraints();
    // Only where it changes, and at the end.
    if ((counts && finding.figure(objective) < best) || i + 1 == found.trials.size()) {
      best = counts ? std::min(best, finding.figure(objective)) : best;
      series.x.push_back(static_cast<double>(i + 1));
      series.y.push_back(best);
    }
  }
  return chart;
}

Chart front(const Request& request, const Exploration& found) {
  const Metric& x = *request.objectives[0];
  const Metric& y = *request.objectives[1];
  Chart chart{.name = "front",
              .title = fmt::format("{} that none beats in everything", found.front.size()),
              .kind = ChartKind::kPoints,
              .x = {.title = title_of(x)},
              .y = {.title = title_of(y)},
              .series = {{.name = "tried"}, {.name = "none better"}}};
  const auto add = [&](Series& series, const DesignTrial& trial) {
    series.x.push_back(trial.finding.figure(x));
    series.y.push_back(trial.finding.figure(y));
  };
  for (const DesignTrial& trial : found.trials) {
    if (outcome_of(trial.finding, request).keeps_constraints()) {
      add(chart.series[0], trial);
    }
  }
  for (const std::size_t member : found.front) {
    add(chart.series[1], found.trials[member]);
  }
  return chart;
}

// Where on its axis a value lies, from 0 to 1.
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
              .title = "the best designs, by what varies",
              .kind = ChartKind::kLines,
              .y = {.title = "part of the range; objectives: of the most"}};
  auto best = shown(request, found);
  best.resize(std::min(best.size(), kMostLines));
  for (std::size_t a = 0; a < axes.size(); ++a) {
    chart.x.title += fmt::format("{} {}, ", a + 1, axes[a].name);
  }
  for (std::size_t o = 0; o < request.objectives.size(); ++o) {
    chart.x.title += fmt::format(
        "{}{} {}", o == 0 ? "" : ", ", axes.size() + o + 1, request.objectives[o]->name);
  }
  for (std::size_t b = 0; b < best.size(); ++b) {
    const DesignTrial& trial = found.trials[best[b]];
    Series series{.name = fmt::format("best-{}", b + 1)};
    for (std::size_t a = 0; a < axes.size(); ++a) {
      series.x.push_back(static_cast<double>(a + 1));
      series.y.push_back(request.designs.space.is_there(a, trial.point)
                             ? part_of_range(axes[a], trial.point[a])
                             : std::nan(""));
    }
    for (std::size_t o = 0; o < request.objectives.size(); ++o) {
      const Metric& objective = *request.objectives[o];
      double most = 0.0;
      for (const std::size_t other : best) {
        most = std::max(most, found.trials[other].finding.figure(objective));
      }
      series.x.push_back(static_cast<double>(axes.size() + o + 1));
      series.y.push_back(most > 0.0 ? trial.finding.figure(objective) / most : 0.0);
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
