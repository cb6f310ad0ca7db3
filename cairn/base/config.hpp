// Configuration values that remember where they were written, so that every error can name file,
// line and key. Hides the YAML library.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/failure.hpp"

namespace cairn {

struct Config {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  Where where;                    // file, line and key path: "device.memory[2].bandwidth"
  std::string text;               // kScalar: as written, without quotes
  std::vector<std::string> keys;  // kMap: in file order, parallel to items
  std::vector<Config> items;      // kList, kMap
  bool may_be_unused = false;     // accepted even without effect

  // The value under `key`, or nullptr. Only for maps.
  [[nodiscard]] const Config* find(std::string_view key) const;
};

// Throws ConfigError on: unreadable, empty or binary files, YAML syntax, duplicate keys, anchors
// that expand beyond a bound, nesting beyond a bound.
Config load_config(const std::filesystem::path& file);

// The same from text; `file` is its name in messages.
Config parse_config(std::string_view text, const std::string& file);

// Whether both have the same keys and values, wherever they were written.
bool same_content(const Config& a, const Config& b);

// The map without `keys`.
Config without(const Config& config, std::initializer_list<std::string_view> keys);

// Accepts keys without effect: for one of many designs that share their keys.
void allow_unused(Config& config);

// Applies "a.b[2].c=value" (the --set flag): replaces or adds that value; the value is YAML.
// Siblings of a, b and c from a file may then be without effect; the value set must have one.
void set_value(Config& config, std::string_view assignment);

// `"fast"` for a scalar, cut when long; `a list`, `a map`, `nothing`.
std::string found_text(const Config& config);

// As YAML on one line: `{bandwidth: 25 GB/s, sizes: [1 MB, 2 MB]}`.
std::string to_text(const Config& config);

// Throws ConfigError at `config`: the value found, then `problem`, which completes the sentence:
// reject(config, "is not a topology (expected e.g. \"ring\")") gives
// `platform.yaml:3: topology: "rign" is not a topology (expected e.g. "ring")`.
[[noreturn]] void reject(const Config& config, const std::string& problem);

}  // namespace cairn
