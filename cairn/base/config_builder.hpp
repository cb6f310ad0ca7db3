// Builds a Config tree from a parser's events, so that nothing is built beyond the bounds: nesting
// of 64 levels, 256 MiB in all with aliases expanded, keys of 200 bytes.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cairn/base/config.hpp"

namespace cairn {

// Events come in the order of the text, each with its line; in a map, keys and values alternate.
// Every function throws ConfigError, at the key path reached, on values beyond the bounds, keys
// that are not plain words, duplicate keys and merge keys (<<).
class ConfigBuilder {
 public:
  using Anchor = std::size_t;  // identifies a value for aliases; 0: none

  // `origin` has the file and the key path of the root.
  explicit ConfigBuilder(Where origin) : origin_(std::move(origin)) {}

  void add_null(int line, Anchor anchor);
  void add_scalar(int line, const std::string& text, Anchor anchor);  // or the next key of a map
  void add_alias(int line, Anchor anchor);
  void begin(int line, Config::Kind kind, Anchor anchor);
  void end();

  // The root, once everything has ended; kNull when nothing was added.
  Config take();

  // Throws ConfigError at `line` and the key path reached.
  [[noreturn]] void fail(int line, const std::string& problem) const;

 private:
  // A list or map that has begun and not ended. Lines are set on the way, files and key paths by
  // set_origin().
  struct Open {
    Config value;
    Anchor anchor = 0;
    std::size_t used_before = 0;
    int key_line = 0;                                  // kMap: line of the last key
    std::unordered_map<std::string, int> line_of_key;  // kMap

    [[nodiscard]] bool expects_key() const {
      return value.kind == Config::Kind::kMap && value.keys.size() == value.items.size();
    }
  };

  struct Anchored {
    Config value;
    std::size_t size = 0;    // bytes
    std::size_t height = 0;  // levels of lists and maps
  };

  [[nodiscard]] std::string path() const;
  void charge(int line, std::size_t bytes);
  void check_depth(int line, std::size_t depth) const;
  void reject_as_key(int line) const;
  void add_key(int line, const std::string& key);
  void add(int line, Config value, Anchor anchor);
  void place(int line, Config value);
  void set_origin(Config& value, const std::string& key);

  Where origin_;
  std::vector<Open> open_;
  std::unordered_map<Anchor, Anchored> anchors_;
  std::size_t used_ = 0;  // bytes
  Config root_;
};

}  // namespace cairn
