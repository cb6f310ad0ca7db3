// Text laid out for a terminal: aligned columns and wrapped paragraphs. Widths count characters,
// not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::report {

inline constexpr std::size_t kLineWidth = 100;

// Of a column's cells: cut to what the others leave of the line.
inline constexpr std::size_t kRestOfLine = std::string_view::npos - 1;

// kAuto: as align_of says.
enum class Align { kLeft, kRight, kAuto };

struct TextColumn {
  std::string header{};
  Align align = Align::kRight;
  std::size_t widest = std::string_view::npos;  // longer cells are cut; npos: none
};

// Cells two blanks apart, nothing after the last letter of a line. The header is left out when all
// headers are empty. A row is one line, unless that would be more than `width`: then headers take
// several lines, then cells of text do, and columns that still do not fit follow in a table of
// their own behind the first. Precondition: each row has a cell per column.
std::string table_text(std::vector<TextColumn> columns,
                       const std::vector<std::vector<std::string>>& rows,
                       std::size_t width = kLineWidth);

// Where cells of a column are lined up: numbers, with or without a unit, at their right; words at
// their left. Cells that are empty or "-" are either.
Align align_of(const std::vector<std::vector<std::string>>& rows, std::size_t column);

// `text` in lines of at most `width` characters, broken at blanks where there are some, all lines
// but the first behind `indent` blanks. The first line starts at column `indent` already.
std::string wrap_text(std::string_view text, std::size_t indent, std::size_t width = kLineWidth);

// How many characters `text` (UTF-8) has, but for tones (tone.hpp).
std::size_t text_width(std::string_view text);

// `text`, or its beginning and "..." when it has more than `widest` characters.
std::string cut_text(std::string_view text, std::size_t widest);

}  // namespace cairn::report
