// Escapes characters of untrusted text that a terminal would act on.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

// On one line: "\n", "\t", "\x1b", "\u202e" for characters that a terminal acts on instead of
// showing them (control characters, line separators, direction marks, zero-width characters),
// "\xff" for bytes that are not UTF-8; everything else is unchanged.
std::string printable(std::string_view text);

// The same, but keeps line breaks.
std::string printable_lines(std::string_view text);

}  // namespace cairn
