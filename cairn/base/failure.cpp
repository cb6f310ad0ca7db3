#include "cairn/base/failure.hpp"

#include <algorithm>
#include <cstddef>

#include "cairn/base/printable.hpp"

namespace cairn {

namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of UTF-8
}

std::string message(const Where& where, const std::string& problem) {
  const std::string place = to_text(where);
  return place.empty() ? problem : place + ": " + problem;
}

}  // namespace

std::string to_text(const Where& where) {
  std::string text = where.file;
  if (where.line > 0) {
    text += (text.empty() ? "line " : ":") + std::to_string(where.line);
  }
  if (!where.key.empty()) {
    text += (text.empty() ? "" : ": ") + where.key;
  }
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::size_t end = std::min(text.size(), kLongest);
  while (end > 0 && end < text.size() && continues_character(text[end])) {
    --end;
  }
  return "\"" + printable(text.substr(0, end)) + (end < text.size() ? "...\"" : "\"");
}

ConfigError::ConfigError(Where where, const std::string& problem)
    : std::runtime_error(message(where, problem)), where_(std::move(where)) {}

}  // namespace cairn
