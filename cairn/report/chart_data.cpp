#include "cairn/report/chart_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/failure.hpp"

namespace cairn::report {

namespace {

// A quoted text cell.
std::string cell(const std::string& text) {
  std::string result = plain(text);
  std::ranges::replace(result, '"', '\'');
  std::ranges::replace(result, '\\', '/');
  return "\"" + result + "\"";
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "?";
}

double at(const std::vector<double>& values, std::size_t i) {
  return i < values.size() ? values[i] : std::nan("");
}

std::string bar_data(const Chart& chart) {
  std::string text = "# category";
  for (const Series& series : chart.series) {
    text += "\t" + cell(series.name);
  }
  for (const Series& series : chart.series) {
    text += has_published(series) ? "\t" + cell(series.name + ", published") : "";
  }
  text += chart.published_totals.empty() ? "\n" : "\t\"published\"\n";
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    text += cell(chart.categories[c]);
    for (const Series& series : chart.series) {
      text += "\t" + number(series.y[c]);
    }
    for (const Series& series : chart.series) {
      text += has_published(series) ? "\t" + number(series.published[c]) : "";
    }
    text += chart.published_totals.empty() ? "" : "\t" + number(at(chart.published_totals, c));
    text += "\n";
  }
  return text;
}

// Five columns per series; question marks for a gap category.
std::string box_data(const Chart& chart) {
  std::string text = "# category";
  for (const Series& series : chart.series) {
    for (const char* part : kBoxParts) {
      text += "\t" + cell(series.name + ", " + part);
    }
  }
  text += "\n";
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    text += cell(chart.categories[c]);
    for (const Series& series : chart.series) {
      for (const double value : numbers_of(series.boxes[c])) {
        text += "\t" + number(chart.categories[c].empty() ? std::nan("") : value);
      }
    }
    text += "\n";
  }
  return text;
}

std::string line_data(const Chart& chart) {
  std::string text;
  for (const Series& series : chart.series) {
    text += (text.empty() ? "# " : "\n\n# ") + plain(series.name) + "\n# " + plain(chart.x.title) +
            "\t" + plain(chart.y.title) + (has_published(series) ? "\tpublished\n" : "\n");
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      text += number(series.x[i]) + "\t" + number(series.y[i]);
      text += has_published(series) ? "\t" + number(series.published[i]) + "\n" : "\n";
    }
  }
  return text;
}

}  // namespace

bool is_bars(ChartKind kind) {
  return kind == ChartKind::kGroupedBars || kind == ChartKind::kStackedBars;
}

bool has_categories(ChartKind kind) {
  return is_bars(kind) || kind == ChartKind::kProfiles || kind == ChartKind::kBoxes;
}

bool has_published(const Series& series) {
  return std::ranges::any_of(series.published, [](double value) { return std::isfinite(value); });
}

std::string plain(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    result += static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F ? ' ' : letter;
  }
  return result;
}

void check(const Chart& chart) {
  ensure(!chart.series.empty(), "a chart without series");
  for (const Series& series : chart.series) {
    if (chart.kind == ChartKind::kBoxes) {
      ensure(series.boxes.size() == chart.categories.size(),
             "a chart's series with a wrong number of boxes");
      continue;
    }
    const std::size_t count =
        has_categories(chart.kind) ? chart.categories.size() : series.x.size();
    ensure(series.y.size() == count, "a chart's series with a wrong number of values");
    ensure(series.published.empty() || series.published.size() == count,
           "a chart's series with a wrong number of published values");
  }
}

std::string chart_data(const Chart& chart) {
  check(chart);
  return chart.kind == ChartKind::kBoxes ? box_data(chart)
         : has_categories(chart.kind)    ? bar_data(chart)
                                         : line_data(chart);
}

}  // namespace cairn::report
