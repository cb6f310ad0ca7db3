// A number and the text behind it, of any meaning: "25 GB/s" is 25 and "GB/s".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn {

struct Figure {
  double number = 0.0;
  std::string unit{};
};

// std::nullopt if the text does not begin with a number.
std::optional<Figure> figure_in(std::string_view text);

std::string to_text(const Figure& figure);

}  // namespace cairn
