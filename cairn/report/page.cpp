#include "cairn/report/page.hpp"

#include "cairn/base/failure.hpp"
#include "cairn/report/packed_json.hpp"

namespace cairn::report {

namespace {

// What begins at `at` as it is written in a string; `length`: how many bytes that is instead of.
struct Escaped {
  std::string_view text{};
  std::size_t length = 1;
};

Escaped escaped(std::string_view json, std::size_t at) {
  switch (json[at]) {
    case '<':
      return {R"(\u003c)"};
    case '>':
      return {R"(\u003e)"};
    case '&':
      return {R"(\u0026)"};
    case '\\':
      return {json.substr(at, 2), 2};  // what follows does not end the string
    default:
      break;
  }
  // Line and paragraph separators, which scripts took for ends of lines before 2019.
  const std::string_view three = json.substr(at, 3);
  if (three == "\u2028") {
    return {R"(\u2028)", 3};
  }
  if (three == "\u2029") {
    return {R"(\u2029)", 3};
  }
  return {json.substr(at, 1)};
}

}  // namespace

std::string embedded_json(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  bool in_string = false;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      in_string = !in_string;
    }
    const bool blank = json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t';
    if (!in_string) {
      if (!blank) {
        text += json[at];
      }
      ++at;
      continue;
    }
    const auto [written, length] = escaped(json, at);
    text += written;
    at += length;
  }
  return text;
}

void write_page(std::string_view page, std::string_view json, std::ostream& out) {
  const std::size_t place = page.find(kResultGoesHere);
  ensure(place != std::string_view::npos &&
             page.find(kResultGoesHere, place + 1) == std::string_view::npos,
         "a page without the one place for a result");
  out << page.substr(0, place) << embedded_json(packed_json(json))
      << page.substr(place + kResultGoesHere.size());
}

}  // namespace cairn::report
