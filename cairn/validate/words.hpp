// Parses names with numbers, such as "gemm8192 x8", from the left.
#pragma once

#include <optional>
#include <string_view>

namespace cairn::validate {

// Removes a positive whole number from the beginning of `text`.
std::optional<double> take_number(std::string_view& text);

// Removes `prefix` from the beginning of `text`; false if it is not there.
bool take(std::string_view& text, std::string_view prefix);

}  // namespace cairn::validate
