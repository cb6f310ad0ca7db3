#include "cairn/report/table.hpp"

#include <algorithm>

#include "cairn/base/failure.hpp"
#include "cairn/report/tone.hpp"

namespace cairn::report {

namespace {

constexpr std::string_view kGap = "  ";
constexpr std::size_t kNarrowest = 12;  // minimum width of wrapped text cells

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U && !is_tone(byte);
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

using Cells = std::vector<std::string>;

// `text` wrapped at blanks to lines of at most `width` characters.
Cells lines_of(std::string_view text, std::size_t width) {
  Cells lines;
  while (text_width(text) > width) {
    const std::size_t fits = bytes_of(text, width);
    const std::size_t blank = text.rfind(' ', fits);
    const std::size_t end = blank == std::string_view::npos || blank == 0 ? fits : blank;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  lines.emplace_back(text);
  return lines;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, text_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

// A row as lines of text; shorter cells are padded with blank lines below, headers above.
std::string row_text(const std::vector<TextColumn>& columns,
                     const std::vector<std::size_t>& widths,
                     const Cells& cells,
                     bool at_the_bottom) {
  std::vector<Cells> lines;
  std::size_t height = 1;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    lines.push_back(lines_of(cut_text(cells[c], columns[c].widest), widths[c]));
    height = std::max(height, lines.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t above = at_the_bottom ? height - lines[c].size() : 0;
      const bool there = i >= above && i - above < lines[c].size();
      const std::string cell = there ? lines[c][i - above] : "";
      const std::string blanks(widths[c] - text_width(cell), ' ');
      line += c == 0 ? "" : kGap;
      line += columns[c].align == Align::kLeft ? cell + blanks : blanks + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::size_t width_of(const std::vector<std::size_t>& widths) {
  std::size_t width = kGap.size() * (widths.size() - 1);
  for (const std::size_t each : widths) {
    width += each;
  }
  return width;
}

template <class T>
std::vector<T> up_to(const std::vector<T>& all, std::size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

template <class T>
std::vector<T> behind_the_first(const std::vector<T>& all, std::size_t from) {
  std::vector<T> rest{all.front()};
  rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(from), all.end());
  return rest;
}

// Narrows the column with most slack, repeatedly, until the line fits or none has slack.
void narrow(std::vector<std::size_t>& widths,
            const std::vector<std::size_t>& least,
            std::size_t width) {
  while (width_of(widths) > width) {
    std::size_t most = 0;
    for (std::size_t c = 1; c < widths.size(); ++c) {
      const auto gives = [&](std::size_t i) { return widths[i] - std::min(widths[i], least[i]); };
      most = gives(c) > gives(most) ? c : most;
    }
    if (widths[most] <= least[most]) {
      return;
    }
    --widths[most];
  }
}

// Columns as wide as their cells; if the line is too long, headers are wrapped, then text cells.
std::vector<std::size_t> widths_of(const std::vector<TextColumn>& columns,
                                   const std::vector<Cells>& rows,
                                   std::size_t width) {
  std::vector<std::size_t> widths;
  std::vector<std::size_t> of_cells;
  std::vector<std::size_t> of_words;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const TextColumn& column = columns[c];
    std::size_t cells = 0;
    std::size_t words = kNarrowest;
    for (const Cells& row : rows) {
      ensure(row.size() == columns.size(), "a table's row with a wrong number of cells");
      cells = std::max(cells, std::min(text_width(row[c]), column.widest));
      words = std::max(words, std::min(longest_word(row[c]), column.widest));
    }
    const std::size_t header = std::min(longest_word(column.header), column.widest);
    widths.push_back(std::max(cells, std::min(text_width(column.header), column.widest)));
    of_cells.push_back(std::max(cells, header));
    of_words.push_back(column.align == Align::kLeft ? std::max(words, header) : of_cells.back());
  }
  narrow(widths, of_cells, width);
  narrow(widths, of_words, width);
  return widths;
}

// Width left for column `rest` beside all others.
std::size_t rest_of_line(const std::vector<TextColumn>& columns,
                         const std::vector<Cells>& rows,
                         std::size_t rest,
                         std::size_t width) {
  std::size_t used = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c != rest) {
      std::size_t widest = text_width(columns[c].header);
      for (const Cells& row : rows) {
        widest = std::max(widest, std::min(text_width(row[c]), columns[c].widest));
      }
      used += widest + kGap.size();
    }
  }
  return width > used + kNarrowest ? width - used : kNarrowest;
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

std::string table_text(std::vector<TextColumn> columns,
                       const std::vector<std::vector<std::string>>& rows,
                       std::size_t width) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].align == Align::kAuto) {
      columns[c].align = align_of(rows, c);
    }
    if (columns[c].widest == kRestOfLine) {
      columns[c].widest = rest_of_line(columns, rows, c, width);
    }
  }
  const std::vector<std::size_t> widths = widths_of(columns, rows, width);
  std::size_t shown = columns.size();
  while (shown > 2 && width_of(up_to(widths, shown)) > width) {
    --shown;
  }
  if (shown < columns.size()) {
    std::vector<Cells> left;
    std::vector<Cells> right;
    for (const Cells& row : rows) {
      left.push_back(up_to(row, shown));
      right.push_back(behind_the_first(row, shown));
    }
    return table_text(up_to(columns, shown), left, width) + "\n" +
           table_text(behind_the_first(columns, shown), right, width);
  }
  Cells headers;
  for (const TextColumn& column : columns) {
    headers.push_back(column.header);
  }
  std::string text;
  if (std::ranges::any_of(headers, [](const std::string& header) { return !header.empty(); })) {
    text += row_text(columns, widths, headers, true);
  }
  for (const Cells& row : rows) {
    text += row_text(columns, widths, row, false);
  }
  return text;
}

Align align_of(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
  const auto is_a_number = [&](const Cells& row) {
    const std::string& cell = row[column];
    const std::size_t begin = cell.find_first_not_of("+-");
    return cell.empty() || begin == std::string::npos || (cell[begin] >= '0' && cell[begin] <= '9');
  };
  return std::ranges::all_of(rows, is_a_number) ? Align::kRight : Align::kLeft;
}

std::string wrap_text(std::string_view text, std::size_t indent, std::size_t width) {
  const std::size_t room = width > indent + 20 ? width - indent : 20;
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
