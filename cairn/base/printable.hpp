// Text from files at a terminal, which obeys control characters: they are shown, not sent.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

// On one line: "\n", "\t", "\x1b", "\u009b" for the control characters of ASCII and of Unicode
// (UTF-8); all else as it is.
std::string printable(std::string_view text);

// The same, of several lines.
std::string printable_lines(std::string_view text);

}  // namespace cairn
