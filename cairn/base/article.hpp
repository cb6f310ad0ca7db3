// Indefinite articles for messages.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace cairn {

// "a map", "an axis".
inline std::string with_article(std::string_view noun) {
  const bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

}  // namespace cairn
