#include "cairn/report/chart_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cairn/report/chart_data.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

const char* name_of(ChartKind kind) {
  switch (kind) {
    case ChartKind::kGroupedBars:
      return "bars";
    case ChartKind::kStackedBars:
      return "stacked_bars";
    case ChartKind::kLines:
      return "lines";
    case ChartKind::kSteps:
      return "steps";
    case ChartKind::kPoints:
      return "points";
    case ChartKind::kProfiles:
      return "profiles";
    case ChartKind::kBoxes:
      break;
  }
  return "boxes";
}

// "time (ms)" is a name and a unit.
Json axis_json(const Axis& axis) {
  const std::size_t open = axis.title.rfind(" (");
  const bool has_unit = open != std::string::npos && axis.title.ends_with(')');
  Json json{{"name", axis.title.substr(0, has_unit ? open : axis.title.size())}};
  if (has_unit) {
    json["unit"] = axis.title.substr(open + 2, axis.title.size() - open - 3);
  }
  if (axis.log) {
    json["log"] = true;
  }
  return json;
}

Json values_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) {
    json.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  }
  return json;
}

Json boxes_json(const std::vector<Box>& boxes) {
  Json json = Json::array();
  for (const Box& box : boxes) {
    json.push_back({{"least", box.least},
                    {"lower", box.lower},
                    {"median", box.median},
                    {"upper", box.upper},
                    {"most", box.most}});
  }
  return json;
}

Json series_json(const Series& series, bool with_x) {
  Json json{{"name", series.name}, {"values", values_json(series.y)}};
  if (with_x) {
    json["x"] = values_json(series.x);
  }
  if (has_published(series)) {
    json["published"] = values_json(series.published);
  }
  if (!series.boxes.empty()) {
    json["boxes"] = boxes_json(series.boxes);
  }
  return json;
}

}  // namespace

Json chart_json(const Chart& chart) {
  check(chart);
  const bool categories = has_categories(chart.kind);
  const bool same_x = std::ranges::all_of(
      chart.series, [&](const Series& series) { return series.x == chart.series.front().x; });
  Json json{{"id", chart.name}, {"title", chart.title}, {"kind", name_of(chart.kind)}};
  json["x"] = axis_json(chart.x);
  if (categories) {
    json["x"]["values"] = chart.categories;
  } else if (same_x) {
    json["x"]["values"] = values_json(chart.series.front().x);
  }
  json["y"] = axis_json(chart.y);
  json["series"] = Json::array();
  for (const Series& series : chart.series) {
    json["series"].push_back(series_json(series, !categories && !same_x));
  }
  for (const Level& level : chart.levels) {
    json["levels"].push_back({{"name", level.name}, {"value", level.y}});
  }
  if (chart.band > 0.0) {
    json["band"] = chart.band;
  }
  if (!chart.published_totals.empty()) {
    json["published_totals"] = values_json(chart.published_totals);
  }
  return json;
}

}  // namespace cairn::report
