#include "cairn/base/utf8.hpp"

namespace cairn {

namespace {

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

}  // namespace

std::optional<Character> first_character(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  const std::uint32_t lead = byte_at(text, 0);
  if (lead < 0x80U) {
    return Character{.code = lead, .length = 1};
  }
  const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    const std::uint32_t next = byte_at(text, k);
    if ((next & 0xC0U) != 0x80U) {
      return std::nullopt;
    }
    code = (code << 6U) | (next & 0x3FU);
  }
  const std::uint32_t least = length == 2 ? 0x80U : length == 3 ? 0x800U : 0x10000U;
  const bool valid = lead >= 0xC2U && lead <= 0xF4U && code >= least && code <= 0x10FFFFU &&
                     !(code >= 0xD800U && code <= 0xDFFFU);
  return valid ? std::optional(Character{.code = code, .length = length}) : std::nullopt;
}

}  // namespace cairn
