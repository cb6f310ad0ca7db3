#include "cairn/report/tone.hpp"

#include <array>

namespace cairn::report {

namespace {

constexpr char kEnd = '\x01';
constexpr char kFirst = '\x02';  // followed by the others in the order of Tone
// Bold, blue, green, red, faint.
constexpr std::array<std::string_view, 5> kColours{
    "\x1b[1m", "\x1b[34m", "\x1b[32m", "\x1b[31m", "\x1b[2m"};

}  // namespace

std::string toned(Tone tone, std::string_view text) {
  if (text.empty()) {
    return "";
  }
  return static_cast<char>(kFirst + static_cast<char>(tone)) + std::string(text) + kEnd;
}

std::string painted(std::string_view text, bool colours) {
  std::string result;
  result.reserve(text.size());
  for (const char byte : text) {
    if (!is_tone(byte)) {
      result += byte;
    } else if (colours) {
      result += byte == kEnd ? "\x1b[0m" : kColours[static_cast<std::size_t>(byte - kFirst)];
    }
  }
  return result;
}

}  // namespace cairn::report
