#include "cairn/study/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace cairn::study {

namespace {

std::optional<double> number_of(const StudyResult& result, const std::string& quantity) {
  const auto claim = std::ranges::find(result.claims, quantity, &Claim::quantity);
  return claim == result.claims.end() ? std::nullopt : claim->published;
}

// The index of the point at a category or x; nullopt: there is none.
std::optional<std::size_t> place_of(const report::Chart& chart,
                                    const report::Series& series,
                                    const std::string& at) {
  for (std::size_t i = 0; i < series.y.size(); ++i) {
    if ((chart.categories.empty() ? fmt::format("{:g}", series.x[i]) : chart.categories[i]) == at) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

void mark_published(StudyResult& result, const std::vector<Mark>& marks) {
  for (const Mark& mark : marks) {
    const std::optional<double> published = number_of(result, mark.quantity);
    const auto chart = std::ranges::find(result.charts, mark.figure, &report::Chart::name);
    if (!published || chart == result.charts.end()) {
      continue;
    }
    if (mark.series.empty()) {
      chart->levels.push_back({mark.at, *published});
      continue;
    }
    const auto series = std::ranges::find(chart->series, mark.series, &report::Series::name);
    if (series == chart->series.end()) {
      continue;
    }
    if (const auto place = place_of(*chart, *series, mark.at)) {
      series->published.resize(series->y.size(), std::numeric_limits<double>::quiet_NaN());
      series->published[*place] = *published;
    }
  }
}

}  // namespace cairn::study
