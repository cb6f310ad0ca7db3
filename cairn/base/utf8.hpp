// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn {

struct Character {
  std::uint32_t code = 0;  // of Unicode
  std::size_t length = 1;  // bytes
};

// The character that `text` begins with; nothing when it begins with none. Overlong forms,
// surrogates and code points above U+10FFFF are not valid.
std::optional<Character> first_character(std::string_view text);

}  // namespace cairn
