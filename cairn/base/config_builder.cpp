#include "cairn/base/config_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/text_file.hpp"

namespace cairn {

namespace {

constexpr std::size_t kLongestKey = 200;                       // bytes
constexpr std::size_t kLargestTree = std::size_t{256} << 20U;  // bytes

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20U || c == 0x7F;
}

// Levels of lists and maps; 0 for a scalar.
std::size_t height_of(const Config& value) {
  std::size_t height = 0;
  for (const Config& item : value.items) {
    height = std::max(height, height_of(item));
  }
  const bool is_container = value.kind == Config::Kind::kList || value.kind == Config::Kind::kMap;
  return height + (is_container ? 1 : 0);
}

}  // namespace

void ConfigBuilder::add_null(int line, Anchor anchor) {
  reject_as_key(line);
  add(line, Config{}, anchor);
}

void ConfigBuilder::add_scalar(int line, const std::string& text, Anchor anchor) {
  if (!open_.empty() && open_.back().expects_key()) {
    add_key(line, text);
    return;
  }
  Config value;
  value.kind = Config::Kind::kScalar;
  value.text = text;
  add(line, std::move(value), anchor);
}

void ConfigBuilder::add_alias(int line, Anchor anchor) {
  reject_as_key(line);
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    fail(line, "alias inside its own anchor (expected a finite value)");
  }
  check_depth(line, open_.size() + found->second.height);
  charge(line, found->second.size);
  place(line, found->second.value);
}

void ConfigBuilder::begin(int line, Config::Kind kind, Anchor anchor) {
  reject_as_key(line);
  check_depth(line, open_.size() + 1);
  Open open;
  open.value.kind = kind;
  open.value.where.line = line;
  open.anchor = anchor;
  open.used_before = used_;
  open_.push_back(std::move(open));
  charge(line, sizeof(Config));
}

void ConfigBuilder::end() {
  Open done = std::move(open_.back());
  open_.pop_back();
  const int line = done.value.where.line;
  if (done.anchor != 0) {
    const std::size_t size = used_ - done.used_before;
    charge(line, size);
    anchors_[done.anchor] = {done.value, size, height_of(done.value)};
  }
  place(line, std::move(done.value));
}

Config ConfigBuilder::take() {
  set_origin(root_, origin_.key);
  return std::move(root_);
}

void ConfigBuilder::fail(int line, const std::string& problem) const {
  throw ConfigError({origin_.file, line, path()}, problem);
}

// The key path of the value that comes next.
std::string ConfigBuilder::path() const {
  std::string path = origin_.key;
  for (const Open& open : open_) {
    if (open.value.kind == Config::Kind::kList) {
      path += fmt::format("[{}]", open.value.items.size());
    } else if (!open.expects_key()) {
      path += (path.empty() ? "" : ".") + open.value.keys.back();
    }
  }
  return path;
}

void ConfigBuilder::charge(int line, std::size_t bytes) {
  used_ += bytes;
  if (used_ > kLargestTree) {
    fail(line,
         fmt::format("too large with all anchors expanded (expected less than {} MiB)",
                     kLargestTree >> 20U));
  }
}

// Without the key path, which is long and useless in hostile text.
void ConfigBuilder::check_depth(int line, std::size_t depth) const {
  if (depth > kDeepestNesting) {
    throw ConfigError({origin_.file, line, ""},
                      fmt::format("nested deeper than {} levels", kDeepestNesting));
  }
}

void ConfigBuilder::reject_as_key(int line) const {
  if (!open_.empty() && open_.back().expects_key()) {
    fail(line,
         "key that is not a plain word, or a bracket that is not closed (expected \"key: value\")");
  }
}

void ConfigBuilder::add_key(int line, const std::string& key) {
  if (key.size() > kLongestKey || std::ranges::any_of(key, is_control)) {
    fail(line, "key " + in_quotes(key) + " (expected one short word)");
  }
  Open& map = open_.back();
  map.value.keys.push_back(key);
  map.key_line = line;
  charge(line, 2 * (sizeof(std::string) + key.size()));
  if (key == "<<") {
    fail(line, "merge keys are not supported (expected the keys themselves)");
  }
  const auto [first, is_new] = map.line_of_key.emplace(key, line);
  if (!is_new) {
    fail(line,
         line == 0 ? "duplicate key"
                   : fmt::format("duplicate key (first on line {})", first->second));
  }
}

void ConfigBuilder::add(int line, Config value, Anchor anchor) {
  const std::size_t size = sizeof(Config) + value.text.size();
  charge(line, anchor == 0 ? size : 2 * size);
  if (anchor != 0) {
    anchors_[anchor] = {value, size, 0};
  }
  place(line, std::move(value));
}

// A value in a map gets the line of its key, any other its own line.
void ConfigBuilder::place(int line, Config value) {
  value.where.line = line;
  if (open_.empty()) {
    root_ = std::move(value);
    return;
  }
  Open& parent = open_.back();
  if (parent.value.kind == Config::Kind::kMap) {
    value.where.line = parent.key_line;
  }
  parent.value.items.push_back(std::move(value));
}

// Sets file and key path of `value` and of everything within it.
void ConfigBuilder::set_origin(Config& value, const std::string& key) {
  charge(value.where.line, origin_.file.size() + key.size());
  value.where.file = origin_.file;
  value.where.key = key;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    set_origin(value.items[i],
               value.kind == Config::Kind::kList ? fmt::format("{}[{}]", key, i)
               : key.empty()                     ? value.keys[i]
                                                 : key + "." + value.keys[i]);
  }
}

}  // namespace cairn
