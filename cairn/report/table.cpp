#include "cairn/report/table.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"

namespace cairn::report {

namespace {

constexpr std::string_view kGap = "  ";

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// The bytes of the first `characters` characters.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    if (starts_character(text[bytes])) {
      if (characters == 0) {
        break;
      }
      --characters;
    }
    ++bytes;
  }
  return bytes;
}

std::string line_text(const std::vector<Column>& columns,
                      const std::vector<std::size_t>& widths,
                      const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string cell = cut_text(cells[c], columns[c].widest);
    const std::string blanks(widths[c] - text_width(cell), ' ');
    line += c == 0 ? "" : kGap;
    line += columns[c].align == Align::kLeft ? cell + blanks : blanks + cell;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::string cut_text(std::string_view text, std::size_t widest) {
  constexpr std::string_view kMore = "...";
  if (text_width(text) <= widest) {
    return std::string(text);
  }
  const std::size_t kept = widest > kMore.size() ? widest - kMore.size() : 0;
  return std::string(text.substr(0, bytes_of(text, kept))) + std::string(kMore);
}

std::string table_text(const std::vector<Column>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  std::vector<std::string> headers;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = std::min(text_width(columns[c].header), columns[c].widest);
    for (const auto& row : rows) {
      ensure(row.size() == columns.size(), "a table's row has a cell too many or too few");
      width = std::max(width, std::min(text_width(row[c]), columns[c].widest));
    }
    widths.push_back(width);
    headers.push_back(columns[c].header);
  }
  std::string text;
  if (std::ranges::any_of(headers, [](const std::string& header) { return !header.empty(); })) {
    text += line_text(columns, widths, headers);
  }
  for (const auto& row : rows) {
    text += line_text(columns, widths, row);
  }
  return text;
}

std::string wrap_text(std::string_view text, std::size_t indent) {
  const std::size_t room = kLineWidth > indent + 20 ? kLineWidth - indent : 20;
  std::string wrapped;
  while (text_width(text) > room) {
    const std::size_t fits = bytes_of(text, room);
    std::size_t end = text.rfind(' ', fits);
    end = end == std::string_view::npos || end == 0 ? fits : end;
    wrapped += std::string(text.substr(0, end)) + "\n" + std::string(indent, ' ');
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return wrapped + std::string(text);
}

}  // namespace cairn::report
