#include "cairn/base/config_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "cairn/base/magnitude.hpp"
#include "cairn/base/nearest.hpp"

namespace cairn {

namespace {

template <class Number>
std::from_chars_result parse(const std::string& text, Number& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number);
}

}  // namespace

const std::string& scalar_text(const Config& config, const std::string& expected) {
  if (config.kind != Config::Kind::kScalar) {
    reject(config, "is not " + expected);
  }
  return config.text;
}

std::int64_t read_integer(const Config& config, std::int64_t minimum, std::int64_t maximum) {
  const std::string expected = "a whole number (expected e.g. \"8\")";
  const std::string& text = scalar_text(config, expected);
  std::int64_t number = 0;
  const auto [end, error] = parse(text, number);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    reject(config, "is not " + expected);
  }
  // YAML 1.1 reads 010 as octal 8, YAML 1.2 as 10.
  const std::size_t first = text.front() == '-' ? 1 : 0;
  if (text.size() > first + 1 && text[first] == '0') {
    reject(config, "begins with a zero (expected e.g. \"8\")");
  }
  if (error != std::errc() || number < minimum || number > maximum) {
    reject(config, fmt::format("is out of range (expected {} to {})", minimum, maximum));
  }
  return number;
}

double read_number(const Config& config) {
  const std::string expected = "a number (expected e.g. \"0.5\")";
  const std::string& text = scalar_text(config, expected);
  double number = 0.0;
  const auto [end, error] = parse(text, number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    reject(config, "is not " + expected);
  }
  if (!has_sensible_magnitude(number)) {
    reject(config,
           fmt::format("is out of range (expected 0, or {} to {})", kSmallestInput, kLargestInput));
  }
  return number;
}

bool read_bool(const Config& config) {
  const std::string expected = "a boolean (expected true or false)";
  const std::string& text = scalar_text(config, expected);
  if (text != "true" && text != "false") {
    reject(config, "is not " + expected);
  }
  return text == "true";
}

std::string number_to_text(double number) {
  return fmt::format("{}", number);
}

std::size_t read_name(const Config& config, const std::vector<std::string>& names) {
  const std::string& text = scalar_text(config, "a name");
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) {
    reject(config, "is unknown (" + suggestion(text, names) + ")");
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace cairn
