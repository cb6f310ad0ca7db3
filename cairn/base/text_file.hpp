// Files of text, read whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn {

inline constexpr std::size_t kLargestTextFile = std::size_t{16} << 20U;  // bytes

// Throws ConfigError, naming `file`, when that cannot be read, is a directory or a named pipe, or
// is larger than kLargestTextFile.
std::string read_text_file(const std::filesystem::path& file);

// Throws ConfigError with `file` and the line unless `text` is UTF-8 without control characters
// other than tab and line ends.
void check_text(std::string_view text, const std::string& file);

}  // namespace cairn
