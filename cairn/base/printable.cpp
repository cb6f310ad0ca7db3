#include "cairn/base/printable.hpp"

#include <fmt/format.h>

namespace cairn {

namespace {

unsigned code_of(char byte) {
  return static_cast<unsigned char>(byte);
}

// U+0080 to U+009F are 0xC2 and the code itself.
bool is_two_byte_control(std::string_view text) {
  return text.size() > 1 && code_of(text[0]) == 0xC2U && code_of(text[1]) >= 0x80U &&
         code_of(text[1]) <= 0x9FU;
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned code = code_of(text[i]);
    if (text[i] == '\n') {
      result += keep_lines ? "\n" : "\\n";
    } else if (text[i] == '\t') {
      result += "\\t";
    } else if (code < 0x20U || code == 0x7FU) {
      result += fmt::format("\\x{:02x}", code);
    } else if (is_two_byte_control(text.substr(i))) {
      result += fmt::format("\\u{:04x}", code_of(text[++i]));
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  return shown(text, false);
}

std::string printable_lines(std::string_view text) {
  return shown(text, true);
}

}  // namespace cairn
