#include "cairn/validate/measured_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/text_file.hpp"

namespace cairn::validate {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos
             ? std::string_view{}
             : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// The end of the first cell of `line`: the first comma outside quotes.
std::size_t end_of_cell(std::string_view line) {
  if (!trimmed(line).starts_with('"')) {
    return line.find(',');
  }
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    quoted = quoted != (line[i] == '"');
    if (line[i] == ',' && !quoted) {
      return i;
    }
  }
  return std::string_view::npos;
}

// Removes enclosing quotes; a doubled quote inside stands for one (RFC 4180).
std::string unquoted(std::string_view cell, const Where& where) {
  if (!cell.starts_with('"')) {
    return std::string(cell);
  }
  if (cell.size() < 2 || !cell.ends_with('"')) {
    throw ConfigError(
        where, fmt::format("{} begins with a quote and does not end with one", in_quotes(cell)));
  }
  std::string text;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    text += cell[i];
    i += cell[i] == '"' ? 1U : 0U;
  }
  return text;
}

std::vector<std::string> cells_of(std::string_view line, const Where& where) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t comma = end_of_cell(line);
    cells.push_back(unquoted(trimmed(line.substr(0, comma)), where));
    if (comma == std::string_view::npos) {
      return cells;
    }
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

const std::string& MeasuredRow::text(std::string_view column) const {
  static const std::string kNothing;
  const auto found = std::ranges::find(header_->columns, column);
  return found == header_->columns.end()
             ? kNothing
             : cells_[static_cast<std::size_t>(found - header_->columns.begin())];
}

double MeasuredRow::number(std::string_view column) const {
  const std::string& cell = text(column);
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
    reject(column, "is not a number");
  }
  return value;
}

double MeasuredRow::positive(std::string_view column) const {
  constexpr double kLeast = 1e-9;
  constexpr double kMax = 1e18;
  const double value = number(column);
  if (value <= 0.0) {
    reject(column, "is out of range (expected more than 0)");
  }
  if (value < kLeast || value > kMax) {
    reject(column, fmt::format("is out of range (expected {} to {})", kLeast, kMax));
  }
  return value;
}

double MeasuredRow::whole(std::string_view column, double least) const {
  constexpr double kMax = 1e9;
  const double value = number(column);
  if (value != std::floor(value) || value < least || value > kMax) {
    reject(column,
           fmt::format("is out of range (expected a whole number from {} to {})", least, kMax));
  }
  return value;
}

std::uint32_t MeasuredRow::count(std::string_view column, std::uint32_t least) const {
  return static_cast<std::uint32_t>(whole(column, least));
}

void MeasuredRow::reject(std::string_view column, const std::string& problem) const {
  throw ConfigError({.file = header_->file, .line = line_, .key = std::string(column)},
                    fmt::format("{} {}", in_quotes(text(column)), problem));
}

MeasuredTable MeasuredTable::read(const std::filesystem::path& file) {
  return parse(read_text_file(file), file.string());
}

MeasuredTable MeasuredTable::parse(std::string_view text, const std::string& file) {
  MeasuredTable table;
  table.header_->file = file;
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  check_text(text, file);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty()) {
      table.add_row(line, number);
    }
  }
  if (table.rows_.empty()) {
    throw ConfigError({.file = file, .line = 0, .key = {}},
                      table.columns().empty()
                          ? "is empty (expected a line of column names, then rows)"
                          : "has column names only (expected rows)");
  }
  return table;
}

void MeasuredTable::add_row(std::string_view line, int number) {
  const Where where{.file = header_->file, .line = number, .key = {}};
  std::vector<std::string> cells = cells_of(line, where);
  if (header_->columns.empty()) {
    header_->columns = std::move(cells);
    for (const std::string& column : header_->columns) {
      const bool row_numbers = column.empty() && &column == &header_->columns.front();
      if ((column.empty() && !row_numbers) || std::ranges::count(header_->columns, column) > 1) {
        throw ConfigError(
            where, fmt::format("column {} is a duplicate, or has no name", in_quotes(column)));
      }
    }
    return;
  }
  if (cells.size() != header_->columns.size()) {
    throw ConfigError(
        where, fmt::format("has {} cells (expected {})", cells.size(), header_->columns.size()));
  }
  rows_.emplace_back(header_, number, std::move(cells));
}

void MeasuredTable::keep(const std::set<int>& lines) {
  std::erase_if(rows_, [&](const MeasuredRow& row) { return !lines.contains(row.line()); });
}

bool MeasuredTable::has(std::string_view column) const {
  return std::ranges::find(header_->columns, column) != header_->columns.end();
}

}  // namespace cairn::validate
