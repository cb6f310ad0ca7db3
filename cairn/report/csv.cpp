#include "cairn/report/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::report {

namespace {

constexpr int kChartDigits = 9;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // an empty cell

std::string csv_number(double value, int digits = kChartDigits) {
  return !std::isfinite(value) ? ""
         : digits == 0         ? fmt::format("{}", value)
                               : fmt::format("{:.{}g}", value, digits);
}

std::string csv_value(const Value& value, int digits) {
  if (const auto* number = std::get_if<Number>(&value.data)) {
    return csv_number(number->si, digits);
  }
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    return csv_cell(*text);
  }
  if (const auto* verdict = std::get_if<Verdict>(&value.data)) {
    return csv_cell(verdict->text);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    return std::to_string(*whole);
  }
  const auto* is_so = std::get_if<bool>(&value.data);
  return is_so == nullptr ? "" : *is_so ? "yes" : "no";
}

// Columns of a series: one, or one for each part of a box.
std::string series_header(const Series& series, bool boxes) {
  if (!boxes) {
    return csv_cell(series.name);
  }
  std::string header;
  for (const char* part : kBoxParts) {
    header += (header.empty() ? "" : ",") + csv_cell(fmt::format("{}, {}", series.name, part));
  }
  return header;
}

std::string series_cells(const Series& series, bool boxes, std::size_t row) {
  if (!boxes) {
    return csv_number(row < series.y.size() ? series.y[row] : kNone);
  }
  std::string cells;
  for (const double value : numbers_of(series.boxes[row])) {
    cells += (cells.empty() ? "" : ",") + csv_number(value);
  }
  return cells;
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

void write_csv(const Table& table, std::ostream& out, int digits) {
  const bool chosen =
      std::ranges::any_of(table.columns, [](const Column& column) { return !column.csv.empty(); });
  const auto head = [&](std::size_t c) -> const std::string& {
    return chosen ? table.columns[c].csv : table.columns[c].key;
  };
  const auto line = [&](const auto& cell) {
    const char* between = "";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!head(c).empty()) {
        out << between << cell(c);
        between = ",";
      }
    }
    out << '\n';
  };
  line([&](std::size_t c) { return csv_cell(head(c)); });
  for (const auto& row : table.rows) {
    line([&](std::size_t c) { return csv_value(row[c], digits); });
  }
}

void write_csv(const Chart& chart, std::ostream& out) {
  const bool bars = !chart.categories.empty();
  const bool boxes = chart.kind == ChartKind::kBoxes;
  out << csv_cell(bars ? "category" : chart.x.title);
  for (const Series& series : chart.series) {
    out << ',' << series_header(series, boxes);
  }
  out << '\n';
  const std::size_t rows =
      bars ? chart.categories.size() : (chart.series.empty() ? 0 : chart.series.front().x.size());
  for (std::size_t row = 0; row < rows; ++row) {
    if (bars && chart.categories[row].empty()) {
      continue;  // a gap category
    }
    out << (bars ? csv_cell(chart.categories[row]) : csv_number(chart.series.front().x[row]));
    for (const Series& series : chart.series) {
      out << ',' << series_cells(series, boxes, row);
    }
    out << '\n';
  }
}

}  // namespace cairn::report
