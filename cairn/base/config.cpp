#include "cairn/base/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "cairn/base/text_file.hpp"
#include "cairn/base/yaml_reader.hpp"

namespace cairn {

namespace {

constexpr const char* kEmpty = "empty (expected YAML keys and values)";

bool is_special(char c) {
  constexpr std::string_view kSpecial = ":#,[]{}\"'&*!|>%@`\\?";
  return c < ' ' || c > '~' || kSpecial.find(c) != std::string_view::npos;
}

// Whether YAML reads `text`, written without quotes inside a list or map, as the same scalar.
bool is_plain(const std::string& text) {
  constexpr std::string_view kSpecialFirst = " -.=";
  return !text.empty() && std::ranges::none_of(text, is_special) &&
         kSpecialFirst.find(text.front()) == std::string_view::npos && text.back() != ' ' &&
         text != "~" && text != "null" && text != "Null" && text != "NULL";
}

std::string scalar_to_text(const std::string& text) {
  if (is_plain(text)) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace

const Config* Config::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

bool same_content(const Config& a, const Config& b) {
  return a.kind == b.kind && a.text == b.text && a.keys == b.keys &&
         std::ranges::equal(a.items, b.items, same_content);
}

Config without(const Config& config, std::initializer_list<std::string_view> keys) {
  Config rest = config;
  rest.keys.clear();
  rest.items.clear();
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    if (std::ranges::find(keys, config.keys[i]) == keys.end()) {
      rest.keys.push_back(config.keys[i]);
      rest.items.push_back(config.items[i]);
    }
  }
  return rest;
}

void allow_unused(Config& config) {
  config.may_be_unused = true;
  std::ranges::for_each(config.items, allow_unused);
}

Config load_config(const std::filesystem::path& file) {
  return parse_config(read_text_file(file), file.string());
}

Config parse_config(std::string_view text, const std::string& file) {
  Config config = read_yaml(text, {file, 1, ""});
  if (config.kind == Config::Kind::kNull) {
    throw ConfigError({file, 0, ""}, kEmpty);
  }
  return config;
}

std::string found_text(const Config& config) {
  switch (config.kind) {
    case Config::Kind::kNull:
      return "no value";
    case Config::Kind::kScalar:
      return in_quotes(config.text);
    case Config::Kind::kList:
      return "a list";
    case Config::Kind::kMap:
      return "a map";
  }
  throw Bug("a Config of no known kind");
}

std::string to_text(const Config& config) {
  if (config.kind == Config::Kind::kNull) {
    return "null";
  }
  if (config.kind == Config::Kind::kScalar) {
    return scalar_to_text(config.text);
  }
  const bool is_map = config.kind == Config::Kind::kMap;
  std::string text = is_map ? "{" : "[";
  for (std::size_t i = 0; i < config.items.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += is_map ? scalar_to_text(config.keys[i]) + ": " : "";
    text += to_text(config.items[i]);
  }
  return text + (is_map ? "}" : "]");
}

void reject(const Config& config, const std::string& problem) {
  throw ConfigError(config.where, found_text(config) + " " + problem);
}

}  // namespace cairn
