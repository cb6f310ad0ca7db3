#include "cairn/base/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace cairn {

std::optional<Figure> figure_in(std::string_view text) {
  Figure figure;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), figure.number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  figure.unit = std::string(end, text.data() + text.size());
  figure.unit.erase(0, std::min(figure.unit.find_first_not_of(' '), figure.unit.size()));
  return figure;
}

std::string to_text(const Figure& figure) {
  return fmt::format("{}{}{}", figure.number, figure.unit.empty() ? "" : " ", figure.unit);
}

}  // namespace cairn
