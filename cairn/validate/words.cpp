#include "cairn/validate/words.hpp"

#include <charconv>
#include <cstdint>

namespace cairn::validate {

std::optional<double> take_number(std::string_view& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc{} || value == 0) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  return value;
}

bool take(std::string_view& text, std::string_view prefix) {
  const bool found = text.starts_with(prefix);
  text.remove_prefix(found ? prefix.size() : 0);
  return found;
}

}  // namespace cairn::validate
