#include "cairn/base/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "cairn/base/config_builder.hpp"
#include "cairn/base/text_file.hpp"

namespace cairn {

namespace {

std::string hint_for(const std::string& problem) {
  return problem.find("tab") != std::string::npos                ? " (indent with spaces)"
         : problem.starts_with("end of sequence flow not found") ? " (a \"]\" is missing)"
         : problem.starts_with("end of map flow not found")      ? " (a \"}\" is missing)"
         : problem == "illegal map value"
             ? " (expected \"key: value\"; keys of one map are indented alike, with spaces)"
             : "";
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

int line_of(const YAML::Mark& mark, const Where& origin) {
  return mark.is_null() || origin.line == 0 ? 0 : mark.line + origin.line;
}

// Whether the quoted scalar at `at`, perhaps behind an anchor, ends on its line; true for scalars
// without quotes. The parser would let an unclosed quote end at the next one below.
bool ends_on_its_line(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = std::min(text.find_first_of(" \t\r\n", at), text.size());
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  }
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) {
    return true;
  }
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    const bool doubled = quote == '\'' && text.substr(i, 2) == "''";  // an escaped quote
    if (doubled || (quote == '"' && text[i] == '\\')) {
      ++i;
    } else if (text[i] == quote) {
      return true;
    }
  }
  return false;
}

// Forwards the parser's events, and rejects YAML features that are not supported.
class Reader final : public YAML::EventHandler {
 public:
  Reader(std::string_view text, const Where& origin)
      : text_(text), origin_(origin), builder_(origin) {}

  Config take() { return builder_.take(); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (began_) {
      builder_.fail(line_of(mark, origin_),
                    "text after the end of the value (expected one document)");
    }
    began_ = true;
  }

  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.add_null(line_of(mark, origin_), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.add_alias(line_of(mark, origin_), anchor);
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& text) override {
    reject_tag(mark, tag);
    if (tag == "!" && !ends_on_its_line(text_, static_cast<std::size_t>(mark.pos))) {
      builder_.fail(line_of(mark, origin_), "quote without an end (expected one on the same line)");
    }
    builder_.add_scalar(line_of(mark, origin_), text, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    reject_tag(mark, tag);
    builder_.begin(line_of(mark, origin_), Config::Kind::kList, anchor);
  }

  void OnSequenceEnd() override { builder_.end(); }

  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    reject_tag(mark, tag);
    builder_.begin(line_of(mark, origin_), Config::Kind::kMap, anchor);
  }

  void OnMapEnd() override { builder_.end(); }

 private:
  // "?" marks a plain scalar and "!" a quoted one.
  void reject_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") {
      builder_.fail(line_of(mark, origin_),
                    "tag " + in_quotes(tag) + " (expected a value without a tag)");
    }
  }

  std::string_view text_;
  Where origin_;
  ConfigBuilder builder_;
  bool began_ = false;
};

// Only digits, signs, points and exponents, digit first: such text is always a YAML scalar.
bool is_plain_number(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_digit(text.front()) && std::ranges::all_of(text, [&](char c) {
    return is_digit(c) || c == '.' || c == 'e' || c == '+' || c == '-';
  });
}

}  // namespace

Config read_yaml(std::string_view text, const Where& origin) {
  if (is_plain_number(text)) {  // fast path: most values that a search sets
    return {.kind = Config::Kind::kScalar,
            .where = origin,
            .text = std::string(text),
            .keys = {},
            .items = {}};
  }
  check_text(text, origin.file);
  text.remove_prefix(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  std::istringstream stream{std::string(text)};
  Reader reader(text, origin);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(reader)) {
    }
  } catch (const YAML::Exception& error) {
    throw ConfigError({origin.file, line_of(error.mark, origin), origin.key},
                      "not YAML: " + error.msg + hint_for(error.msg));
  }
  return reader.take();
}

}  // namespace cairn
