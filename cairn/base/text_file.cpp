#include "cairn/base/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>

#include "cairn/base/failure.hpp"

namespace cairn {

namespace {

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

// The length of the UTF-8 character that starts at `i`; 0 when there is no valid one. Overlong
// forms, surrogates and code points above U+10FFFF are not valid.
std::size_t character_length(std::string_view text, std::size_t i) {
  const std::uint32_t lead = byte_at(text, i);
  if (lead < 0x80U) {
    const bool control =
        (lead < 0x20U && lead != '\t' && lead != '\n' && lead != '\r') || lead == 0x7FU;
    return control ? 0 : 1;
  }
  const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    const std::uint32_t next = byte_at(text, i + k);
    if ((next & 0xC0U) != 0x80U) {
      return 0;
    }
    code = (code << 6U) | (next & 0x3FU);
  }
  const std::uint32_t least = length == 2 ? 0x80U : length == 3 ? 0x800U : 0x10000U;
  const bool valid = lead >= 0xC2U && lead <= 0xF4U && code >= least && code <= 0x10FFFFU &&
                     !(code >= 0xD800U && code <= 0xDFFFU);
  return valid ? length : 0;
}

// A pipe in the file system keeps its reader waiting for a writer. One that the shell hands over,
// as /dev/stdin or /dev/fd/3, has one.
bool is_named_pipe(const std::filesystem::path& file) {
  const std::string path = std::filesystem::absolute(file).lexically_normal().string();
  std::error_code ignored;
  return std::filesystem::is_fifo(file, ignored) && !path.starts_with("/dev/") &&
         !path.starts_with("/proc/");
}

}  // namespace

std::string read_text_file(const std::filesystem::path& file) {
  const Where where{.file = file.string(), .line = 0, .key = ""};
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw ConfigError(where, "a directory (expected a file)");
  }
  if (is_named_pipe(file)) {
    throw ConfigError(where, "a named pipe (expected a file)");
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                               &std::fclose);
  if (!stream) {
    throw ConfigError(where, "cannot be read: " + std::generic_category().message(errno));
  }
  std::string text;
  std::array<char, 65536> buffer{};
  while (std::feof(stream.get()) == 0) {
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stream.get());
    if (std::ferror(stream.get()) != 0) {
      throw ConfigError(where, "cannot be read: " + std::generic_category().message(errno));
    }
    text.append(buffer.data(), count);
    if (text.size() > kLargestTextFile) {
      throw ConfigError(
          where, fmt::format("too large (expected at most {} MiB)", kLargestTextFile >> 20U));
    }
  }
  return text;
}

void check_text(std::string_view text, const std::string& file) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
      throw ConfigError({file, static_cast<int>(line), ""},
                        fmt::format("byte 0x{:02x} (expected UTF-8 text)", byte_at(text, i)));
    }
    i += length;
  }
}

}  // namespace cairn
