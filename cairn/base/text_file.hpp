// Reads whole text files: the only way to read a file, with limits against hostile ones.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn {

// In bytes; the detailed result of a large design has some 100 MB.
inline constexpr std::size_t kLargestTextFile = std::size_t{256} << 20U;
inline constexpr std::size_t kDeepestNesting = 64;  // levels of lists and maps, in YAML and JSON

// A plain file, a pipe such as <(COMMAND) or standard input, or a terminal. Throws ConfigError,
// naming `file`, when that cannot be read, is a directory, a device, a pipe that nobody writes to,
// or larger than kLargestTextFile.
std::string read_text_file(const std::filesystem::path& file);

// Throws ConfigError with `file` and the line unless `text` is UTF-8 without control characters
// other than tab and line ends.
void check_text(std::string_view text, const std::string& file);

}  // namespace cairn
