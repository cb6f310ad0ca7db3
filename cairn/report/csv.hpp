// Cells of files whose values are separated by commas.
#pragma once

#include <string>

namespace cairn::report {

// In quotes if it must be, as RFC 4180 says.
inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

}  // namespace cairn::report
