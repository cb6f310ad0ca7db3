#include "cairn/base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "cairn/base/utf8.hpp"

namespace cairn {

namespace {

// First and last of each range. Unicode 15, categories Cc, Zl, Zp and Cf; of Cf without the soft
// hyphen and the marks of Arabic, Syriac and Kaithi numbers, which have a width.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 11> kUnprintable{
    {{0x00, 0x1F},
     {0x7F, 0x9F},
     {0x61C, 0x61C},
     {0x180E, 0x180E},
     {0x200B, 0x200F},
     {0x2028, 0x202E},
     {0x2060, 0x206F},
     {0xFEFF, 0xFEFF},
     {0xFFF9, 0xFFFB},
     {0x1D173, 0x1D17A},
     {0xE0001, 0xE007F}}};

// A terminal acts on it instead of showing it: control characters (C0, DEL, C1), line and paragraph
// separators, direction marks and zero-width characters.
bool is_unprintable(std::uint32_t code) {
  return std::ranges::any_of(
      kUnprintable, [&](const auto& range) { return code >= range.first && code <= range.second; });
}

std::string escaped(std::uint32_t code) {
  return code == '\n'     ? "\\n"
         : code == '\t'   ? "\\t"
         : code < 0x80U   ? fmt::format("\\x{:02x}", code)
         : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                          : fmt::format("\\U{:08x}", code);
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto first = first_character(text);
    const std::string_view bytes = text.substr(0, first ? first->length : 1);
    if (!first) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (is_unprintable(first->code) && !(keep_lines && first->code == '\n')) {
      result += escaped(first->code);
    } else {
      result += bytes;
    }
    text.remove_prefix(bytes.size());
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
