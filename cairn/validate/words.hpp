// What a measured row names by a word with numbers in it, as in "gemm8192 x8", from the left.
#pragma once

#include <optional>
#include <string_view>

namespace cairn::validate {

// A whole number above 0 at the beginning of `text`, which loses it.
std::optional<double> take_number(std::string_view& text);

// Whether `text` begins so; then it loses that.
bool take(std::string_view& text, std::string_view word);

}  // namespace cairn::validate
