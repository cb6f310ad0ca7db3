#include "cairn/base/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/base/article.hpp"
#include "cairn/base/nearest.hpp"

namespace cairn {

namespace {

std::string measure(double si, Dimension dimension) {
  return dimension == Dimension{} ? number_to_text(si) : quantity_to_text(si, dimension);
}

constexpr std::size_t kPageWidth = 100;
constexpr std::size_t kMinColumn = 32;  // minimum width for meanings beside the other columns

// `text` in lines of at most `width` characters, as far as its words allow.
std::vector<std::string> wrap_words(const std::string& text, std::size_t width) {
  std::vector<std::string> lines{""};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

std::string child_key(const Config& config, const std::string& key) {
  return config.where.key.empty() ? key : config.where.key + "." + key;
}

}  // namespace

std::string bounds_text(const Bounds& bounds, Dimension dimension) {
  std::string text = bounds.whole ? ", whole" : "";
  if (std::isfinite(bounds.above)) {
    text += ", above " + measure(bounds.above, dimension);
  }
  if (std::isfinite(bounds.least)) {
    text += ", at least " + measure(bounds.least, dimension);
  }
  if (std::isfinite(bounds.most)) {
    text += ", at most " + measure(bounds.most, dimension);
  }
  return text;
}

void check_bounds(const Config& config, double si, const Bounds& bounds, Dimension dimension) {
  const bool fits = si > bounds.above && si >= bounds.least && si <= bounds.most;
  if (fits && (!bounds.whole || si == std::floor(si))) {
    return;
  }
  const std::string expected = bounds_text(bounds, dimension).substr(2);
  reject(config,
         fmt::format(
             "{} (expected {})", fits ? "is not a whole number" : "is out of range", expected));
}

void check_keys(const Config& config,
                const std::string& name,
                const std::vector<Parameter>& known) {
  if (config.kind == Config::Kind::kNull) {
    return;
  }
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Parameter& parameter : known) {
    names.push_back(parameter.key);
  }
  if (config.kind != Config::Kind::kMap) {
    const std::string key = names.empty() ? "key" : names.front();
    reject(config,
           fmt::format("is not {} (expected keys, e.g. \"{}: ...\")", with_article(name), key));
  }
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    if (std::ranges::find(names, config.keys[i]) == names.end()) {
      throw ConfigError(config.items[i].where,
                        "unknown key (" + suggestion(config.keys[i], names) + ")");
    }
  }
}

void reject_unused(const Config& config, const std::string& when) {
  if (!config.may_be_unused) {
    throw ConfigError(config.where, "has no effect (used only with " + when + ")");
  }
}

void reject_missing(const Config& config, const Parameter& parameter) {
  Where where = config.where;
  where.key = child_key(config, parameter.key);
  throw ConfigError(
      where, fmt::format("missing (expected e.g. \"{}: {}\")", parameter.key, parameter.example));
}

namespace {

// A type wider than the column allows is printed after the meaning.
std::string shown_type(const Parameter& parameter) {
  constexpr std::size_t kMaxWidth = 60;
  return parameter.type.size() > kMaxWidth ? "one of these" : parameter.type;
}

// The defaults of a section are in the section's own reference.
std::string shown_default(const Parameter& parameter) {
  return parameter.default_value.starts_with("{") ? "see " + parameter.type
                                                  : parameter.default_value;
}

}  // namespace

std::string reference_text(const std::string& name,
                           const std::string& doc,
                           const std::vector<Parameter>& parameters) {
  std::size_t key_width = 3;
  std::size_t type_width = 4;
  std::size_t default_width = 7;
  for (const Parameter& parameter : parameters) {
    key_width = std::max(key_width, parameter.key.size());
    type_width = std::max(type_width, shown_type(parameter).size());
    default_width = std::max(default_width, shown_default(parameter).size());
  }
  const auto row = [&](std::string_view key,
                       std::string_view type,
                       std::string_view default_value,
                       const std::string& meaning) {
    const std::string start = fmt::format("  {:<{}}  {:<{}}  {:<{}}  ",
                                          key,
                                          key_width,
                                          type,
                                          type_width,
                                          default_value,
                                          default_width);
    // Beside the other columns or, where these are too wide, below, indented like the types.
    const bool below = start.size() + kMinColumn > kPageWidth;
    const std::size_t indent = below ? key_width + 4 : start.size();
    std::string lines = below ? start.substr(0, start.find_last_not_of(' ') + 1) + "\n" : start;
    bool first = !below;
    for (const std::string& line : wrap_words(meaning, kPageWidth - std::min(indent, kPageWidth))) {
      lines += (std::exchange(first, false) ? "" : std::string(indent, ' ')) + line + "\n";
    }
    return lines;
  };
  std::string text = name + (doc.empty() ? "" : ": " + doc) + "\n";
  text += row("key", "type", "default", "meaning");
  for (const Parameter& parameter : parameters) {
    const std::string example = parameter.example.empty() ? "" : ", e.g. " + parameter.example;
    const std::string choices =
        shown_type(parameter) == parameter.type ? "" : ": " + parameter.type;
    text += row(parameter.key,
                shown_type(parameter),
                shown_default(parameter),
                parameter.doc + example + choices);
  }
  return text;
}

}  // namespace cairn
