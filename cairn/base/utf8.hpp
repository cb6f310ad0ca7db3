// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn {

struct Character {
  std::uint32_t code = 0;  // Unicode code point
  std::size_t length = 1;  // bytes
};

// The first character of `text`; std::nullopt if there is no valid one. Overlong forms,
// surrogates and code points above U+10FFFF are not valid.
std::optional<Character> first_character(std::string_view text);

}  // namespace cairn
