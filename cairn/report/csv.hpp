// Comma-separated values (RFC 4180).
#pragma once

#include <ostream>
#include <string>

#include "cairn/report/chart.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// Quoted if necessary.
std::string csv_cell(const std::string& text);

// A header line, then one line per row. Numbers in SI units with `digits` significant digits; 0: as
// many as round-trip. Absent and unknown values are empty.
void write_csv(const Table& table, std::ostream& out, int digits = 0);

// A chart's numbers: a row per category or x, a column per series.
void write_csv(const Chart& chart, std::ostream& out);

}  // namespace cairn::report
