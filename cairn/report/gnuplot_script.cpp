#include "cairn/report/gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/report/chart_data.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

constexpr double kBarsGap = 1.0;  // between categories, in bars

// In single quotes gnuplot replaces nothing: no commands in backquotes, no escapes, no macros. A
// single quote itself becomes an apostrophe (U+2019); doubled, gnuplot 5.4 takes one at the
// beginning for the end.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : plain(text)) {
    result += letter == '\'' ? std::string("\u2019") : std::string(1, letter);
  }
  return result + "'";
}

using Curves = std::vector<std::string>;

// Draws no points, only the category labels.
constexpr const char* kCategories = "using 0:(1/0):xtic(1) with points notitle";

// Position of series s within a category.
std::string position(const Chart& chart, std::size_t s) {
  const auto count = static_cast<double>(chart.series.size());
  return fmt::format("($0 + {:.4f})",
                     (static_cast<double>(s) - (count - 1.0) / 2.0) / (count + kBarsGap));
}

// Columns: 1 the category, then the series, then published values.
Curves grouped_bars(const Chart& chart) {
  Curves curves{kCategories};
  std::size_t column = 2;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    curves.push_back(fmt::format("using {}:{} with boxes linestyle {} title {}",
                                 position(chart, s),
                                 column++,
                                 s + 1,
                                 quoted(chart.series[s].name)));
  }
  bool first = true;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    if (has_published(chart.series[s])) {
      curves.push_back(fmt::format("using {}:{} with points linestyle 100 {}",
                                   position(chart, s),
                                   column++,
                                   first ? "title 'published'" : "notitle"));
      first = false;
    }
  }
  return curves;
}

Curves stacked_bars(const Chart& chart) {
  Curves curves;
  std::size_t column = 2;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    curves.push_back(fmt::format("using {}:xtic(1) with histograms linestyle {} title {}",
                                 column++,
                                 s + 1,
                                 quoted(chart.series[s].name)));
  }
  if (!chart.published_totals.empty()) {
    curves.push_back(
        fmt::format("using ($0):{} with points linestyle 100 title 'published'", column));
  }
  return curves;
}

Curves profiles(const Chart& chart) {
  Curves curves{kCategories};
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    curves.push_back(fmt::format("using 0:{} with linespoints linestyle {} title {}",
                                 s + 2,
                                 s + 1,
                                 quoted(chart.series[s].name)));
  }
  return curves;
}

// Columns: 1 the category, then numbers_of the box of each series. gnuplot draws a box from the
// second to the fifth value it is given, whiskers to the third and fourth; the median is a box
// without height.
Curves boxes(const Chart& chart) {
  Curves curves{kCategories};
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const std::size_t least = 2 + kBoxParts.size() * s;
    const std::string x = position(chart, s);
    curves.push_back(
        fmt::format("using {}:{}:{}:{}:{} with candlesticks linestyle {} title {} whiskerbars 0.5",
                    x,
                    least + 1,
                    least,
                    least + 4,
                    least + 3,
                    s + 1,
                    quoted(chart.series[s].name)));
    curves.push_back(fmt::format(
        "using {0}:{1}:{1}:{1}:{1} with candlesticks linestyle 102 notitle", x, least + 2));
  }
  return curves;
}

Curves lines(const Chart& chart) {
  const char* style = chart.kind == ChartKind::kSteps    ? "steps"
                      : chart.kind == ChartKind::kPoints ? "points"
                                                         : "linespoints";
  Curves curves;
  bool first = true;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    curves.push_back(fmt::format("index {} using 1:2 with {} linestyle {} title {}",
                                 s,
                                 style,
                                 s + 1,
                                 quoted(chart.series[s].name)));
    if (has_published(chart.series[s])) {
      curves.push_back(fmt::format("index {} using 1:3 with points linestyle 100 {}",
                                   s,
                                   first ? "title 'published'" : "notitle"));
      first = false;
    }
  }
  return curves;
}

// Colour-blind-safe palette (Okabe and Ito, 2008).
constexpr const char* kStyles =
    "set style line 1 linecolor rgb '#0072B2' linewidth 2 pointtype 7 pointsize 0.5\n"
    "set style line 2 linecolor rgb '#E69F00' linewidth 2 pointtype 5 pointsize 0.5\n"
    "set style line 3 linecolor rgb '#009E73' linewidth 2 pointtype 9 pointsize 0.6\n"
    "set style line 4 linecolor rgb '#999999' linewidth 2 pointtype 11 pointsize 0.6\n"
    "set style line 5 linecolor rgb '#CC79A7' linewidth 2 pointtype 13 pointsize 0.6\n"
    "set style line 6 linecolor rgb '#56B4E9' linewidth 2 pointtype 6 pointsize 0.6\n"
    "set style line 7 linecolor rgb '#D55E00' linewidth 2 pointtype 4 pointsize 0.6\n"
    "set style line 8 linecolor rgb '#F0E442' linewidth 2 pointtype 8 pointsize 0.6\n"
    "set style line 100 linecolor rgb '#000000' linewidth 2 pointtype 2 pointsize 0.8\n"
    "set style line 101 linecolor rgb '#000000' linewidth 1.5 dashtype 2\n"
    "set style line 102 linecolor rgb '#000000' linewidth 2\n";

constexpr std::size_t kStylesInAll = 8;

std::string axes(const Chart& chart) {
  std::string text = "set title " + quoted(chart.title) + "\nset xlabel " + quoted(chart.x.title) +
                     "\nset ylabel " + quoted(chart.y.title) + "\n";
  text += chart.x.log ? "set logscale x\n" : "";
  text += chart.y.log ? "set logscale y\n" : "set yrange [0:*]\n";
  if (!has_categories(chart.kind)) {
    return text + "set grid\n";
  }
  std::size_t letters = 0;
  for (const std::string& category : chart.categories) {
    letters += text_width(category) + 2;
  }
  text += "set grid ytics\nset style fill solid ";
  text += chart.kind == ChartKind::kBoxes ? "0.3 border\n" : "0.9 noborder\n";
  text += fmt::format("set xrange [-0.7:{}.7]\n",
                      std::max<std::size_t>(chart.categories.size(), 1) - 1);
  text += letters > 70 ? "set xtics rotate by -35\n" : "";
  if (chart.kind == ChartKind::kStackedBars) {
    return text + "set style histogram rowstacked\nset boxwidth 0.6\n";
  }
  return text + fmt::format("set boxwidth {:.4f}\n",
                            1.0 / (static_cast<double>(chart.series.size()) + kBarsGap));
}

}  // namespace

std::string file_stem(const std::string& name) {
  std::string stem;
  for (const char letter : name) {
    const bool kept = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9') || letter == '.' || letter == '_' ||
                      letter == '-';
    stem += kept ? letter : '-';
  }
  stem.erase(0, std::min(stem.find_first_not_of(".-"), stem.size()));
  constexpr std::size_t kLongest = 100;
  stem.resize(std::min(stem.size(), kLongest));
  return stem.empty() ? "chart" : stem;
}

std::string chart_script(const Chart& chart) {
  check(chart);
  const std::string stem = file_stem(chart.name);
  std::string text = fmt::format(
      "# gnuplot {0}.gp draws {0}.dat into {0}.svg and {0}.pdf. Change it to taste.\n"
      "set encoding utf8\n"
      "set datafile missing '?'\n"
      "set datafile separator \"\\t\"\n"
      "set key outside right top vertical noenhanced\n"
      "set tics nomirror\n",
      stem);
  text += kStyles;
  for (std::size_t s = kStylesInAll; s < chart.series.size(); ++s) {
    text += fmt::format(
        "set style line {} linecolor {} linewidth 2 pointtype {}\n", s + 1, s + 1, s + 1);
  }
  text += axes(chart);
  Curves curves = chart.kind == ChartKind::kGroupedBars   ? grouped_bars(chart)
                  : chart.kind == ChartKind::kStackedBars ? stacked_bars(chart)
                  : chart.kind == ChartKind::kProfiles    ? profiles(chart)
                  : chart.kind == ChartKind::kBoxes       ? boxes(chart)
                                                          : lines(chart);
  for (std::string& curve : curves) {
    curve.insert(0, quoted(stem + ".dat") + " ");
  }
  for (const Level& level : chart.levels) {
    curves.push_back(
        fmt::format("{:.9g} with lines linestyle 101 title {}", level.y, quoted(level.name)));
  }
  if (chart.band > 0.0) {
    curves.emplace_back("x with lines linestyle 102 title 'equal'");
    curves.push_back(fmt::format("x*{:.9g} with lines linestyle 101 title '{:.9g} %'",
                                 1.0 + chart.band,
                                 100.0 * chart.band));
    curves.push_back(fmt::format("x*{:.9g} with lines linestyle 101 notitle", 1.0 - chart.band));
  }
  std::string plot = "plot ";
  for (std::size_t c = 0; c < curves.size(); ++c) {
    plot += (c == 0 ? "" : ", \\\n     ") + curves[c];
  }
  text += fmt::format(
      "\nset terminal svg size 900,480 noenhanced font 'sans,13' background 'white'\n"
      "set output '{0}.svg'\n"
      "{1}\n\n"
      "set terminal pdfcairo size 7,3.7 noenhanced font 'sans,10'\n"
      "set output '{0}.pdf'\n"
      "replot\n",
      stem,
      plot);
  return text;
}

}  // namespace cairn::report
