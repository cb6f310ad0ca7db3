// Text with tones, which a terminal shows as colours. A tone is a control character before the text
// and one after it. They have no width and cannot come from files (printable()).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::report {

enum class Tone : std::uint8_t { kTitle, kBar, kGood, kBad, kFaint };

std::string toned(Tone tone, std::string_view text);

// Replaces tones by terminal colours, or removes them.
std::string painted(std::string_view text, bool colours);

// Whether the byte begins or ends a tone.
constexpr bool is_tone(char byte) {
  return byte >= '\x01' && byte <= '\x06';
}

}  // namespace cairn::report
