// The numbers of a chart, as the file that gnuplot draws.
#pragma once

#include <string>

#include "cairn/report/chart.hpp"

namespace cairn::report {

bool is_bars(ChartKind kind);

// Bars, profiles or boxes.
bool has_categories(ChartKind kind);

bool has_published(const Series& series);

// One line without control characters.
std::string plain(const std::string& text);

// Throws Bug where a series has a value too many or too few.
void check(const Chart& chart);

// Bars, profiles and boxes: a line per category. Others: a block per series, two empty lines apart.
// What is missing is "?".
std::string chart_data(const Chart& chart);

}  // namespace cairn::report
