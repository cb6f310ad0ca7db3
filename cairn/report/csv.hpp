// Files whose values are separated by commas (RFC 4180).
#pragma once

#include <ostream>
#include <string>

#include "cairn/report/chart.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// In quotes if it must be.
std::string csv_cell(const std::string& text);

// A line of heads, then one per row. Numbers in SI units; `digits`: of numbers, 0: as many as read
// back the same. What is absent or unknown is empty.
void write_csv(const Table& table, std::ostream& out, int digits = 0);

// A chart's numbers: a row per category or x, a column per series.
void write_csv(const Chart& chart, std::ostream& out);

}  // namespace cairn::report
