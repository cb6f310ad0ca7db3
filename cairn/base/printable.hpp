// Text from files at a terminal, which obeys control characters: they are shown, not sent.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

// On one line: "\n", "\t", "\x1b", "\u202e" for characters that a terminal acts on instead of
// showing them (control characters, separators of lines, marks of direction, what has no width),
// "\xff" for bytes that are not UTF-8; all else as it is.
std::string printable(std::string_view text);

// The same, of several lines.
std::string printable_lines(std::string_view text);

}  // namespace cairn
