// Measurements as they were written down: comma-separated values with a line of column names.
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

// What all rows of a file have in common.
struct MeasuredHeader {
  std::string file{};
  std::vector<std::string> columns{};
};

// Cells of one line; complaints name the file, the line and the column.
class MeasuredRow {
 public:
  MeasuredRow(std::shared_ptr<const MeasuredHeader> header,
              int line,
              std::vector<std::string> cells)
      : header_(std::move(header)), line_(line), cells_(std::move(cells)) {}

  [[nodiscard]] int line() const { return line_; }

  // As written; empty where there is no such column.
  [[nodiscard]] const std::string& text(std::string_view column) const;

  // Throws ConfigError unless it is a finite number ...
  [[nodiscard]] double number(std::string_view column) const;
  // ... above zero, and neither absurdly small nor large,
  [[nodiscard]] double positive(std::string_view column) const;
  // ... or a whole number from `least` to 1e9.
  [[nodiscard]] double whole(std::string_view column, double least) const;
  [[nodiscard]] std::uint32_t count(std::string_view column, std::uint32_t least = 1) const;

  // Throws ConfigError at a column: what was found, then `problem`, which completes the sentence.
  [[noreturn]] void reject(std::string_view column, const std::string& problem) const;

 private:
  std::shared_ptr<const MeasuredHeader> header_;
  int line_;
  std::vector<std::string> cells_;
};

class MeasuredTable {
 public:
  // Throws ConfigError when the file cannot be read, has no column names, no rows, two columns of a
  // name, or a line with other than as many cells. A byte-order mark, carriage returns, empty
  // lines, quotes around a cell and a first column without a name, of row numbers, do not matter.
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
