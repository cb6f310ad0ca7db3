// Configuration values that remember where they were written, so that every complaint can name
// file, line and key. Hides the YAML library.
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
  bool may_be_unused = false;     // a key without effect is no mistake

  // The value under `key`, or nullptr. Only for maps.
  [[nodiscard]] const Config* find(std::string_view key) const;
};

// Throws ConfigError on: unreadable, empty or binary files, YAML syntax, duplicate keys, anchors
// that expand beyond a bound, nesting beyond a bound.
Config load_config(const std::filesystem::path& file);

// The same from text; `file` is what messages call it.
Config parse_config(std::string_view text, const std::string& file);

// The same values under the same keys, wherever they were written.
bool same_content(const Config& a, const Config& b);

// The map without some of its keys.
Config without(const Config& config, std::initializer_list<std::string_view> keys);

// Of one of many designs that share their keys, some of which only others use.
void allow_unused(Config& config);

// Applies "a.b[2].c=value" (the --set flag): replaces or adds that value; the value is YAML. Keys
// beside a, b and c that a file gave may then be without effect, what is set may not.
void set_value(Config& config, std::string_view assignment);

// `"fast"` for a scalar, cut when long; `a list`, `a map`, `nothing`.
std::string found_text(const Config& config);

// As YAML on one line: `{bandwidth: 25 GB/s, sizes: [1 MB, 2 MB]}`.
std::string to_text(const Config& config);

// Throws ConfigError at `config`: what was found, then `problem`, which completes the sentence:
// reject(config, "is not a topology (expected e.g. \"ring\")") gives
// `platform.yaml:3: topology: "rign" is not a topology (expected e.g. "ring")`.
[[noreturn]] void reject(const Config& config, const std::string& problem);

}  // namespace cairn
