// Values of flags: from text to numbers, with complaints that name the flag.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::app {

inline constexpr std::uint32_t kMostChunks = 10'000'000;
inline constexpr std::size_t kMostSizes = 1000;

// What a complaint about a flag or an argument names.
Where at(const std::string& flag);

// A file or folder that is read or written.
struct NamedPath {
  std::string flag;
  std::optional<std::string> path;
};

// What is read is a file, or the name of something that came with the program: then nothing.
std::optional<std::string> if_file(const std::string& path);

// Throws ConfigError if two of them are the same, about the later one. Things that are no files,
// as /dev/null, may be named twice.
void refuse_same_paths(const std::vector<NamedPath>& paths);

// Throws ConfigError: --detail is about what --json prints.
void refuse_detail_without_json(bool detail, bool json);

// A whole number from `least` to `most`.
std::uint32_t parse_count(const std::string& text,
                          const std::string& flag,
                          std::uint32_t least,
                          std::uint32_t most);

// Of --threads: 0, which is one per core, to 4,096.
std::uint32_t parse_threads(const std::string& text);

// One of `known`, else a complaint with the nearest: `"rng" is not <what> (did you mean "ring"?)`.
std::size_t parse_name(const std::string& text,
                       const std::string& flag,
                       const std::string& what,
                       const std::vector<std::string>& known);

// Each text is a size, a list "1 MB,2 MB", or a range "1 KiB..1 GiB" that doubles from its
// beginning and stops at or before its end. No size lies between 0 B and 1 B.
std::vector<Bytes> parse_sizes(const std::vector<std::string>& texts, const std::string& flag);

// "0-3,6" as devices in that order. No device is at or above `devices`.
std::vector<std::uint32_t> parse_group(const std::string& text,
                                       const std::string& flag,
                                       std::uint32_t devices);

// How many chunks of at most `text` make up `size`; no more than kMostChunks.
std::uint32_t parse_chunk_size(const std::string& text, const std::string& flag, Bytes size);

}  // namespace cairn::app
