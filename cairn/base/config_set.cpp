// set_value: the --set flag.
#include "cairn/base/config_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cairn/base/yaml_reader.hpp"

namespace cairn {

namespace {

constexpr const char* kFlag = "--set";
constexpr std::size_t kLongestPath = 64;  // parts

// One part of a path into a value: a key of a map, or, when `key` is empty, a position in a list.
struct PathPart {
  std::string key;
  std::size_t position = 0;
};

[[noreturn]] void fail_path(std::string_view path) {
  throw ConfigError(
      {.file = "", .line = 0, .key = kFlag},
      in_quotes(path) + " is not a key (expected e.g. \"device.memory[2].bandwidth\")");
}

// path = part { "." key | "[" digits "]" }, the first part without its "."
std::vector<PathPart> parse_path(std::string_view path) {
  std::vector<PathPart> parts;
  std::string_view rest = path;
  while (!rest.empty() && parts.size() < kLongestPath) {
    PathPart part;
    if (rest.front() == '[') {
      const char* const end = rest.data() + rest.size();
      const auto [after, error] = std::from_chars(rest.data() + 1, end, part.position);
      if (error != std::errc() || after == end || *after != ']') {
        fail_path(path);
      }
      rest.remove_prefix(static_cast<std::size_t>(after - rest.data()) + 1);
    } else {
      rest.remove_prefix(rest.front() == '.' && !parts.empty() ? 1 : 0);
      const std::size_t length = std::min(rest.find_first_of(".["), rest.size());
      part.key = rest.substr(0, length);
      rest.remove_prefix(length);
      if (part.key.empty() || part.key.find(']') != std::string::npos) {
        fail_path(path);
      }
    }
    parts.push_back(std::move(part));
    if (!rest.empty() && rest.front() != '.' && rest.front() != '[') {
      fail_path(path);
    }
  }
  if (parts.empty() || !rest.empty()) {
    fail_path(path);
  }
  return parts;
}

// A key of the file may lose its effect because --set changes a sibling: that is not the file's
// error.
void allow_unused_in_file(Config& map) {
  for (Config& item : map.items) {
    item.may_be_unused = item.may_be_unused || item.where.file != kFlag;
  }
}

// The value that `part` names inside `parent`, added if absent. A null parent becomes a map or a
// list. `path` is the key path of `parent`, and then that of the value.
Config& enter(Config& parent, const PathPart& part, std::string& path) {
  const bool by_key = !part.key.empty();
  const Config::Kind kind = by_key ? Config::Kind::kMap : Config::Kind::kList;
  if (parent.kind == Config::Kind::kNull) {
    parent.kind = kind;
  }
  path = by_key ? joined_key(path, part.key) : fmt::format("{}[{}]", path, part.position);
  const Where where{.file = kFlag, .line = 0, .key = path};
  if (parent.kind != kind) {
    throw ConfigError(
        where,
        fmt::format("cannot be set inside {} (expected {}{})",
                    found_text(parent),
                    by_key ? "a map" : "a list",
                    path.starts_with("strategy.") ? "; write strategy: {spread: ...}" : ""));
  }
  std::size_t position = part.position;
  if (by_key) {
    allow_unused_in_file(parent);
    const auto found = std::ranges::find(parent.keys, part.key);
    position = static_cast<std::size_t>(found - parent.keys.begin());
  }
  if (position > parent.items.size()) {
    throw ConfigError(where, fmt::format("is beyond the end of a list of {}", parent.items.size()));
  }
  if (position == parent.items.size()) {
    parent.items.emplace_back().where = where;
    if (by_key) {
      parent.keys.push_back(part.key);
    }
  }
  return parent.items[position];
}

}  // namespace

std::string joined_key(std::string_view outer, std::string_view inner) {
  return fmt::format("{}{}{}", outer, outer.empty() || inner.empty() ? "" : ".", inner);
}

void set_value(Config& config, std::string_view assignment) {
  set_value_within(config, "", assignment);
}

void set_value_within(Config& config, std::string_view prefix, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw ConfigError({.file = "", .line = 0, .key = kFlag},
                      in_quotes(assignment) + R"( has no "=" (expected e.g. "bandwidth=25 GB/s"))");
  }
  const std::string_view path = assignment.substr(0, equals);
  Config value = read_yaml(assignment.substr(equals + 1), {kFlag, 0, joined_key(prefix, path)});
  std::string key = prefix.empty() ? config.where.key : std::string(prefix);
  Config* target = &config;
  for (const PathPart& part : parse_path(path)) {
    target = &enter(*target, part, key);
  }
  *target = std::move(value);
}

}  // namespace cairn
