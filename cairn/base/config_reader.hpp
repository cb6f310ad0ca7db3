// How a Config value becomes a C++ value, by type. Each ConfigReader<F> has
//   static F read(const Config&);            throws ConfigError at the value
//   static std::string type_text();          "bandwidth (B/s)"
//   static std::string to_text(const F&);    "25 GB/s"
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn {

template <class F>
struct ConfigReader;

// The text of a scalar; rejects lists, maps and null. `expected` completes "is not ...".
const std::string& scalar_text(const Config& config, const std::string& expected);

// The whole number at `config`, in [minimum, maximum]: no fraction, no exponent, no unit.
std::int64_t read_integer(const Config& config, std::int64_t minimum, std::int64_t maximum);
double read_number(const Config& config);
bool read_bool(const Config& config);
std::string number_to_text(double number);

// The index in `names` of the scalar at `config`; rejects others with the nearest name.
std::size_t read_name(const Config& config, const std::vector<std::string>& names);

template <Dimension D>
struct ConfigReader<Quantity<D>> {
  static Quantity<D> read(const Config& config) {
    return parse_quantity<Quantity<D>>(scalar_text(config, expected_text(D)), config.where);
  }

  static std::string type_text() {
    const auto [name, unit, example] = dimension_text(D);
    return name + " (" + unit + ")";
  }

  static std::string to_text(Quantity<D> value) { return cairn::to_text(value); }
};

template <std::integral F>
struct ConfigReader<F> {
  static F read(const Config& config) {
    constexpr auto kMax = std::numeric_limits<F>::max();
    constexpr bool kWide = std::cmp_greater(kMax, INT64_MAX);
    return static_cast<F>(read_integer(config,
                                       std::int64_t{std::numeric_limits<F>::min()},
                                       kWide ? INT64_MAX : static_cast<std::int64_t>(kMax)));
  }

  static std::string type_text() { return "whole number"; }

  static std::string to_text(F value) { return std::to_string(value); }
};

template <>
struct ConfigReader<bool> {
  static bool read(const Config& config) { return read_bool(config); }

  static std::string type_text() { return "true | false"; }

  static std::string to_text(bool value) { return value ? "true" : "false"; }
};

template <>
struct ConfigReader<double> {
  static double read(const Config& config) { return read_number(config); }

  static std::string type_text() { return "number"; }

  static std::string to_text(double value) { return number_to_text(value); }
};

template <>
struct ConfigReader<std::string> {
  static std::string read(const Config& config) { return scalar_text(config, "a string"); }

  static std::string type_text() { return "text"; }

  static std::string to_text(const std::string& value) { return value.empty() ? "\"\"" : value; }
};

// The value unread, for a caller that decides by its kind.
template <>
struct ConfigReader<Config> {
  static Config read(const Config& config) { return config; }

  static std::string type_text() { return "any"; }

  static std::string to_text(const Config& value) {
    return value.kind == Config::Kind::kNull ? "none" : cairn::to_text(value);
  }
};

// A single value is read as a list of one.
template <class F>
struct ConfigReader<std::vector<F>> {
  static std::vector<F> read(const Config& config) {
    std::vector<F> values;
    if (config.kind != Config::Kind::kList) {
      values.push_back(ConfigReader<F>::read(config));
      return values;
    }
    values.reserve(config.items.size());
    for (const Config& item : config.items) {
      values.push_back(ConfigReader<F>::read(item));
    }
    return values;
  }

  static std::string type_text() { return "list of " + ConfigReader<F>::type_text(); }

  static std::string to_text(const std::vector<F>& values) {
    std::string text;
    for (const auto& value : values) {
      text += (text.empty() ? "" : ", ") + ConfigReader<F>::to_text(value);
    }
    return "[" + text + "]";
  }
};

// Absent or null is std::nullopt.
template <class F>
struct ConfigReader<std::optional<F>> {
  static std::optional<F> read(const Config& config) {
    return config.kind == Config::Kind::kNull ? std::optional<F>()
                                              : std::optional<F>(ConfigReader<F>::read(config));
  }

  static std::string type_text() { return ConfigReader<F>::type_text(); }

  static std::string to_text(const std::optional<F>& value) {
    return value ? ConfigReader<F>::to_text(*value) : "none";
  }
};

// The names of an enum's values, declared once:
//   template <> struct cairn::EnumNames<Color> {
//     static constexpr std::array<EnumName<Color>, 2> kNames{{{Color::kRed, "red"}, ...}};
//   };
template <class E>
struct EnumName {
  E value;
  const char* name;
};

template <class E>
struct EnumNames;

template <class E>
  requires std::is_enum_v<E>
std::string enum_name(E value) {
  for (const auto& known : EnumNames<E>::kNames) {
    if (known.value == value) {
      return known.name;
    }
  }
  throw Bug("an enum value without a name");
}

// The value with this name; nothing if there is none.
template <class E>
  requires std::is_enum_v<E>
std::optional<E> find_enum(std::string_view name) {
  for (const auto& known : EnumNames<E>::kNames) {
    if (known.name == name) {
      return known.value;
    }
  }
  return std::nullopt;
}

template <class E>
  requires std::is_enum_v<E>
std::vector<std::string> enum_names() {
  std::vector<std::string> names;
  names.reserve(EnumNames<E>::kNames.size());
  for (const auto& known : EnumNames<E>::kNames) {
    names.emplace_back(known.name);
  }
  return names;
}

template <class E>
  requires std::is_enum_v<E>
struct ConfigReader<E> {
  static E read(const Config& config) {
    return EnumNames<E>::kNames[read_name(config, enum_names<E>())].value;
  }

  static std::string type_text() {
    std::string text;
    for (const auto& name : enum_names<E>()) {
      text += (text.empty() ? "" : " | ") + name;
    }
    return text;
  }

  static std::string to_text(E value) { return enum_name(value); }
};

}  // namespace cairn
