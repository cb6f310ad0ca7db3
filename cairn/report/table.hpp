// Text laid out for a terminal: aligned columns and wrapped paragraphs. Widths count characters,
// not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::report {

inline constexpr std::size_t kLineWidth = 100;

// Cells of the column are cut to the width that other columns leave.
inline constexpr std::size_t kRestOfLine = std::string_view::npos - 1;

// kAuto: see align_of.
enum class Align { kLeft, kRight, kAuto };

struct TextColumn {
  std::string header{};
  Align align = Align::kRight;
  std::size_t widest = std::string_view::npos;  // longer cells are cut; npos: no limit
};

// Columns are two blanks apart, without trailing blanks. The header is omitted if all headers are
// empty. If a row would exceed `width`, headers are wrapped first, then text cells; columns that
// still do not fit follow in a second table. Precondition: each row has a cell per column.
std::string table_text(std::vector<TextColumn> columns,
                       const std::vector<std::vector<std::string>>& rows,
                       std::size_t width = kLineWidth);

// Alignment of a column: numbers, with or without a unit, right; text left. Cells that are empty or
// "-" count as either.
Align align_of(const std::vector<std::vector<std::string>>& rows, std::size_t column);

// `text` wrapped at blanks to at most `width` characters per line. All lines but the first are
// indented by `indent`; the first starts at column `indent` already.
std::string wrap_text(std::string_view text, std::size_t indent, std::size_t width = kLineWidth);

// Number of characters of `text` (UTF-8), without tones (tone.hpp).
std::size_t text_width(std::string_view text);

// `text`, cut to `widest` characters with a final "..." if longer.
std::string cut_text(std::string_view text, std::size_t widest);

}  // namespace cairn::report
