// Parses values of flags, with errors that name the flag.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::app {

inline constexpr std::uint32_t kMaxChunks = 10'000'000;
inline constexpr std::size_t kMaxSizes = 1000;

// Location of errors about a flag or an argument.
Where at(const std::string& flag);

// The value of a flag, as a file would have it.
Config value_of_flag(std::string text, const std::string& flag);

// A file or folder that is read or written.
struct NamedPath {
  std::string flag;  // or the place in a file that names it
  std::optional<std::string> path;
};

// Whether it exists and is a regular file.
bool is_file(const NamedPath& path);

// Throws ConfigError at the later one if two paths are the same. Character devices such as
// /dev/null may be named twice.
void refuse_same_paths(const std::vector<NamedPath>& paths);

// Throws ConfigError for --detail without --json.
void refuse_detail_without_json(bool detail, bool json);

// An integer from `least` to `most`.
std::uint32_t parse_count(const std::string& text,
                          const std::string& flag,
                          std::uint32_t least,
                          std::uint32_t most);

// --threads: 0 (one per core) to 4,096.
std::uint32_t parse_threads(const std::string& text);

// Index into `known`; else an error with the nearest: `"rng" is not <what> (did you mean "ring"?)`.
std::size_t parse_name(const std::string& text,
                       const std::string& flag,
                       const std::string& what,
                       const std::vector<std::string>& known);

// Each text is a size, a list "1 MB,2 MB", or a range "1 KiB..1 GiB" that doubles from its
// first size up to at most its last. Sizes between 0 B and 1 B are rejected.
std::vector<Bytes> parse_sizes(const std::vector<std::string>& texts, const std::string& flag);

// "0-3,6" as devices in that order, each below `devices`.
std::vector<std::uint32_t> parse_group(const std::string& text,
                                       const std::string& flag,
                                       std::uint32_t devices);

// Number of chunks of at most `text` bytes in `size`; at most kMaxChunks.
std::uint32_t parse_chunk_size(const std::string& text, const std::string& flag, Bytes size);

}  // namespace cairn::app
