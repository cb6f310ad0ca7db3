#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "cairn/base/any_quantity.hpp"
#include "cairn/base/magnitude.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn {

namespace {

// A unit is 10^ten * 2^two SI base units, so that scaling by it is exact decimal or exact binary.
struct Unit {
  Dimension dimension;
  int ten = 0;
  int two = 0;
};

struct Prefix {
  std::string_view text;
  int ten;
  int two;
};

constexpr std::array<Prefix, 23> kPrefixes{{
    {"", 0, 0},    {"f", -15, 0}, {"p", -12, 0}, {"n", -9, 0},  {"u", -6, 0},  {"µ", -6, 0},
    {"μ", -6, 0},  {"m", -3, 0},  {"c", -2, 0},  {"k", 3, 0},   {"M", 6, 0},   {"G", 9, 0},
    {"T", 12, 0},  {"P", 15, 0},  {"E", 18, 0},  {"Z", 21, 0},  {"Y", 24, 0},  {"Ki", 0, 10},
    {"Mi", 0, 20}, {"Gi", 0, 30}, {"Ti", 0, 40}, {"Pi", 0, 50}, {"Ei", 0, 60},
}};

struct Symbol {
  std::string_view text;
  Unit unit;
  bool small;  // takes prefixes below 1
  bool large;  // takes prefixes above 1
};

constexpr std::array<Symbol, 12> kSymbols{{
    {"s", {{.time = 1}}, true, false},
    {"Hz", {{.time = -1}}, false, true},
    {"B", {{.data = 1}}, false, true},
    {"bit", {{.data = 1}, 0, -3}, false, true},
    {"b", {{.data = 1}, 0, -3}, false, true},
    {"flop", {{.work = 1}}, false, true},
    {"FLOP", {{.work = 1}}, false, true},
    {"J", {{.energy = 1}}, true, true},
    {"W", {{.time = -1, .energy = 1}}, true, true},
    {"m", {{.length = 1}}, true, true},
    {"V", {{.voltage = 1}}, true, true},
    {"USD", {{.money = 1}}, false, true},
}};

constexpr bool allows(const Symbol& symbol, const Prefix& prefix) {
  if (prefix.text == "c") {
    return symbol.unit.dimension.length != 0;
  }
  if (prefix.two != 0) {
    return symbol.unit.dimension.data != 0;
  }
  return prefix.ten == 0 || (prefix.ten < 0 ? symbol.small : symbol.large);
}

constexpr Dimension times(Dimension d, int n) {
  return {
      d.time * n, d.data * n, d.work * n, d.energy * n, d.length * n, d.voltage * n, d.money * n};
}

// "mm2", "GiB", "flop"
std::optional<Unit> parse_factor(std::string_view text) {
  int exponent = 1;
  if (text.ends_with("²")) {
    exponent = 2;
    text.remove_suffix(std::string_view("²").size());
  } else if (!text.empty() && text.back() >= '1' && text.back() <= '9') {
    exponent = text.back() - '0';
    text.remove_suffix(1);
  }
  const std::string spelled(text.ends_with("$")
                                ? std::string(text.substr(0, text.size() - 1)) + "USD"
                                : std::string(text));
  for (const Symbol& symbol : kSymbols) {
    if (!spelled.ends_with(symbol.text)) {
      continue;
    }
    const auto before = std::string_view(spelled).substr(0, spelled.size() - symbol.text.size());
    for (const Prefix& prefix : kPrefixes) {
      if (before == prefix.text && allows(symbol, prefix)) {
        return Unit{times(symbol.unit.dimension, exponent),
                    (symbol.unit.ten + prefix.ten) * exponent,
                    (symbol.unit.two + prefix.two) * exponent};
      }
    }
  }
  return std::nullopt;
}

// "GB/s", "/cm2", "W/mm2"
std::optional<Unit> parse_unit(std::string_view text) {
  Unit unit;
  int sign = 1;
  bool first = true;
  while (first || !text.empty()) {
    if (text.starts_with('/') || (!first && text.starts_with('*'))) {
      sign = text.front() == '/' ? -1 : 1;
      text.remove_prefix(1);
    }
    const std::size_t end = std::min(text.find_first_of("/*"), text.size());
    const std::optional<Unit> factor = parse_factor(text.substr(0, end));
    if (!factor) {
      return std::nullopt;
    }
    unit.dimension = unit.dimension + times(factor->dimension, sign);
    unit.ten += sign * factor->ten;
    unit.two += sign * factor->two;
    text.remove_prefix(end);
    first = false;
  }
  return unit;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The length of the number that `text`, which has no sign, starts with; 0 when there is none.
std::size_t number_length(std::string_view text) {
  const auto digits_from = [text](std::size_t at) {
    while (at < text.size() && is_digit(text[at])) {
      ++at;
    }
    return at;
  };
  std::size_t end = digits_from(0);
  if (end > 0 && end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    end = digits_from(end + 1);
  }
  if (end > 0 && end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool has_sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
    const std::size_t digits = end + (has_sign ? 2 : 1);
    end = digits_from(digits) > digits ? digits_from(digits) : end;
  }
  return end;
}

// `number` * 10^ten, rounded once; nullopt when a double cannot hold it.
std::optional<double> scaled_number(std::string_view number, int ten) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  int exponent = 0;
  if (e < number.size()) {
    const std::size_t from = e + (number[e + 1] == '+' ? 2 : 1);
    if (std::from_chars(number.data() + from, number.data() + number.size(), exponent).ec !=
            std::errc() ||
        std::abs(exponent) > 10'000) {
      return std::nullopt;
    }
  }
  const std::string decimal = fmt::format("{}e{}", number.substr(0, e), exponent + ten);
  double value = 0.0;
  const auto result = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::variant<double, std::string> try_parse_quantity(std::string_view text, Dimension dimension) {
  const std::string found = in_quotes(text);
  const bool negative = text.starts_with('-');
  std::string_view rest = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const std::string_view number = rest.substr(0, number_length(rest));
  rest.remove_prefix(number.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (!number.empty() && rest.empty()) {
    return fmt::format(
        "{} has no unit (expected e.g. \"{}\")", found, dimension_text(dimension).example);
  }
  const std::optional<Unit> unit = number.empty() ? std::nullopt : parse_unit(rest);
  if (!unit && rest.starts_with('K') && parse_unit("k" + std::string(rest.substr(1)))) {
    return fmt::format("{} is ambiguous (write {} for 1000 or {} for 1024)",
                       found,
                       in_quotes("k" + std::string(rest.substr(1))),
                       in_quotes("Ki" + std::string(rest.substr(1))));
  }
  if (!unit || unit->dimension != dimension) {
    return fmt::format("{} is not {}", found, expected_text(dimension));
  }
  const std::optional<double> value = scaled_number(number, unit->ten);
  const double si = value ? std::ldexp(*value, unit->two) : HUGE_VAL;
  if (!has_sensible_magnitude(si)) {
    const std::string base = dimension_text(dimension).unit;
    return fmt::format("{} is out of range (expected 0 {}, or {} to {} {})",
                       found,
                       base,
                       kSmallestInput,
                       kLargestInput,
                       base);
  }
  return negative ? -si : si;
}

std::optional<AnyQuantity> any_quantity_in(std::string_view text) {
  std::string_view unit_text = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  unit_text.remove_prefix(number_length(unit_text));
  unit_text.remove_prefix(std::min(unit_text.find_first_not_of(" \t"), unit_text.size()));
  const std::optional<Unit> unit = unit_text.empty() ? std::nullopt : parse_unit(unit_text);
  if (!unit) {
    return std::nullopt;
  }
  const auto parsed = try_parse_quantity(text, unit->dimension);
  const auto* si = std::get_if<double>(&parsed);
  return si == nullptr ? std::nullopt : std::optional(AnyQuantity{*si, unit->dimension});
}

double parse_quantity_si(std::string_view text, Dimension dimension, const Where& where) {
  const auto parsed = try_parse_quantity(text, dimension);
  if (const auto* problem = std::get_if<std::string>(&parsed)) {
    throw ConfigError(where, *problem);
  }
  return std::get<double>(parsed);
}

}  // namespace cairn
