#include "apps/cairn/colour.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "apps/cairn/terminal.hpp"

namespace cairn::app {

namespace {

constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kFaint = "\x1b[2m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kBlue = "\x1b[34m";

constexpr std::size_t kBarWidth = 10;

struct Verdict {
  std::string_view words;
  std::string_view colour;
};

// Of a study's claims, at the end of a line.
constexpr std::array<Verdict, 4> kVerdicts{{{"  holds", kGreen},
                                            {"  not reproduced", kRed},
                                            {"  not stated", kFaint},
                                            {"  absent", kFaint}}};

std::string marked(std::string_view text, std::string_view colour) {
  return text.empty() ? "" : std::string(colour) + std::string(text) + std::string(kPlain);
}

// Whether `###.......` begins at `at`, with blanks around it.
bool is_bar(std::string_view line, std::size_t at) {
  const std::size_t full = line.find_first_not_of('#', at);
  const std::size_t end = full == std::string_view::npos ? full : line.find_first_not_of('.', full);
  const std::size_t length = (end == std::string_view::npos ? line.size() : end) - at;
  const bool before = at == 0 || line[at - 1] == ' ' || line[at - 1] == '[';
  return before && length == kBarWidth &&
         (end == std::string_view::npos || line[end] == ' ' || line[end] == ']');
}

std::string with_bars(std::string_view line) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    if ((line[at] == '#' || line[at] == '.') && is_bar(line, at)) {
      const std::string_view bar = line.substr(at, kBarWidth);
      const std::size_t full = bar.find('.') == std::string_view::npos ? kBarWidth : bar.find('.');
      result += marked(bar.substr(0, full), kBlue) + marked(bar.substr(full), kFaint);
      at += kBarWidth;
    } else {
      result += line[at++];
    }
  }
  return result;
}

std::string with_marks(std::string_view line) {
  for (const auto& [words, colour] : kVerdicts) {
    if (line.ends_with(words)) {
      return with_bars(line.substr(0, line.size() - words.size())) + marked(words, colour);
    }
  }
  return with_bars(line);
}

}  // namespace

bool shows_colours() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets them
  const auto value = [](const char* name) { return std::getenv(name); };
  const char* refused = value("NO_COLOR");
  const char* forced = value("CLICOLOR_FORCE");
  const char* terminal = value("TERM");
  if (refused != nullptr && *refused != '\0') {
    return false;
  }
  if (forced != nullptr && *forced != '\0' && std::string_view(forced) != "0") {
    return true;
  }
  return is_terminal(STDOUT_FILENO) && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string coloured(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const bool title = begin == 0 && text.compare(end, 2, "\n\n") == 0;
    result += title ? marked(line, kBold) : with_marks(line);
    if (end < text.size()) {
      result += '\n';
    }
    begin = end + 1;
  }
  return result;
}

}  // namespace cairn::app
