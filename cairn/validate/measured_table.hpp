// A CSV file of measurements, with a header line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::validate {

// Shared by all rows of a file.
struct MeasuredHeader {
  std::string file{};
  std::vector<std::string> columns{};
};

// Cells of one line; errors name the file, the line and the column.
class MeasuredRow {
 public:
  MeasuredRow(std::shared_ptr<const MeasuredHeader> header,
              int line,
              std::vector<std::string> cells)
      : header_(std::move(header)), line_(line), cells_(std::move(cells)) {}

  [[nodiscard]] int line() const { return line_; }

  // As written; empty if there is no such column.
  [[nodiscard]] const std::string& text(std::string_view column) const;

  // Throws ConfigError unless the cell is a finite number.
  [[nodiscard]] double number(std::string_view column) const;
  // Also requires 1e-9 to 1e18.
  [[nodiscard]] double positive(std::string_view column) const;
  // Also requires a whole number from `least` to 1e9.
  [[nodiscard]] double whole(std::string_view column, double least) const;
  [[nodiscard]] std::uint32_t count(std::string_view column, std::uint32_t least = 1) const;

  // Throws ConfigError at a column: the value found, followed by `problem`.
  [[noreturn]] void reject(std::string_view column, const std::string& problem) const;

 private:
  std::shared_ptr<const MeasuredHeader> header_;
  int line_;
  std::vector<std::string> cells_;
};

class MeasuredTable {
 public:
  // Throws ConfigError if the file cannot be read, has no column names, no rows, duplicate columns,
  // or a line with another number of cells. Accepts a byte-order mark, carriage returns, empty
  // lines, quoted cells, and a first column of row numbers without a name.
  static MeasuredTable read(const std::filesystem::path& file);
  static MeasuredTable parse(std::string_view text, const std::string& file);

  [[nodiscard]] const std::string& file() const { return header_->file; }

  [[nodiscard]] const std::vector<std::string>& columns() const { return header_->columns; }

  [[nodiscard]] std::span<const MeasuredRow> rows() const { return rows_; }

  [[nodiscard]] bool has(std::string_view column) const;

  // Drops the rows of all other lines.
  void keep(const std::set<int>& lines);

 private:
  void add_row(std::string_view line, int number);

  std::shared_ptr<MeasuredHeader> header_ = std::make_shared<MeasuredHeader>();
  std::vector<MeasuredRow> rows_{};
};

}  // namespace cairn::validate
