// gnuplot script that draws the data file of chart_data.hpp.
#pragma once

#include <string>

#include "cairn/report/chart.hpp"

namespace cairn::report {

// `name` with all characters but letters, digits, '.', '_' and '-' replaced by '-'. Never empty,
// never begins with '.' or '-'.
std::string file_stem(const std::string& name);

// Draws STEM.dat into STEM.svg and STEM.pdf, all in the folder in which gnuplot runs. No text of
// the chart is ever read as a command.
std::string chart_script(const Chart& chart);

}  // namespace cairn::report
