// The data file of a chart, as gnuplot reads it.
#pragma once

#include <string>

#include "cairn/report/chart.hpp"

namespace cairn::report {

bool is_bars(ChartKind kind);

// Bars, profiles or boxes.
bool has_categories(ChartKind kind);

bool has_published(const Series& series);

// `text` on one line, without control characters.
std::string plain(const std::string& text);

// Throws Bug if the length of a series does not match the chart.
void check(const Chart& chart);

// Bars, profiles and boxes: a line per category. Others: a block per series, two empty lines apart.
// Missing values are "?".
std::string chart_data(const Chart& chart);

}  // namespace cairn::report
