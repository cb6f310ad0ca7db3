// Parameters declared once: key, type with unit, default, one line of doc. From the declaration
// come reading, errors for unknown keys (with the nearest known one), and the reference text.
//
//   struct LinkParams { BytesPerSecond bandwidth; Seconds latency{500e-9}; };
//
//   const Schema<LinkParams>& schema_of(const LinkParams*) {
//     static const auto kSchema = Schema<LinkParams>("link", "connection between two nodes")
//         .required("bandwidth", &LinkParams::bandwidth, "per direction", "25 GB/s").positive()
//         .optional("latency", &LinkParams::latency, "time for the first byte").not_negative();
//     return kSchema;
//   }
//
//   LinkParams p = read_config<LinkParams>(config);     // or schema.read(config)
//
// The default of an optional parameter is the member's value in LinkParams{}. A struct with a
// schema_of, declared in its own namespace before its first use here, may itself be a member, or
// an element of a std::vector or std::optional member.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/base/config_reader.hpp"

namespace cairn {

// One row of the reference.
struct Parameter {
  std::string key;
  std::string type;           // "bandwidth (B/s), above 0 B/s"
  std::string default_value;  // as it would be written, or "required"
  std::string doc;
  std::string example;  // required parameters only
};

// The numbers allowed, in SI units of `dimension`.
struct Bounds {
  double above = -std::numeric_limits<double>::infinity();  // exclusive
  double least = -std::numeric_limits<double>::infinity();  // inclusive
  double most = std::numeric_limits<double>::infinity();    // inclusive
  bool whole = false;                                       // without a fraction
};

// ", at least 1 ns", empty without bounds.
std::string bounds_text(const Bounds& bounds, Dimension dimension);

// Rejects `config`, whose value is `si`, when that is outside `bounds`.
void check_bounds(const Config& config, double si, const Bounds& bounds, Dimension dimension);

// The dimension of a number, also within lists and optionals; kBounded is false for other types.
template <class F>
struct Measured {
  static constexpr bool kBounded = std::is_arithmetic_v<F> && !std::is_same_v<F, bool>;
  static constexpr Dimension kDimension{};
};

template <Dimension D>
struct Measured<Quantity<D>> {
  static constexpr bool kBounded = true;
  static constexpr Dimension kDimension = D;
};

template <class F>
struct Measured<std::vector<F>> : Measured<F> {};

template <class F>
struct Measured<std::optional<F>> : Measured<F> {};

template <class F>
void check_bounds(const Config& config, const F& value, const Bounds& bounds) {
  if constexpr (std::is_arithmetic_v<F>) {
    check_bounds(config, static_cast<double>(value), bounds, Dimension{});
  } else if constexpr (requires { value.si(); }) {
    check_bounds(config, value.si(), bounds, F::kDimension);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) {
      check_bounds(config, *value, bounds);
    }
  } else {
    for (std::size_t i = 0; i < value.size(); ++i) {
      check_bounds(config.kind == Config::Kind::kList ? config.items[i] : config, value[i], bounds);
    }
  }
}

// Rejects anything but a map (or nothing, an empty map) whose keys are all in `known`.
void check_keys(const Config& config, const std::string& name, const std::vector<Parameter>& known);

// Throws ConfigError at a key that has no effect, unless it may be unused; `when` names the setting
// that would use it.
void reject_unused(const Config& config, const std::string& when);

// Throws ConfigError for the required parameter that `config` does not have.
[[noreturn]] void reject_missing(const Config& config, const Parameter& parameter);

// A table of keys, types, defaults and docs under a title.
std::string reference_text(const std::string& name,
                           const std::string& doc,
                           const std::vector<Parameter>& parameters);

template <class T>
class Schema {
 public:
  explicit Schema(std::string name, std::string doc = "")
      : name_(std::move(name)), doc_(std::move(doc)) {}

  // `example` is a value as written in a file.
  template <class F>
  Schema& required(std::string key, F T::* member, std::string doc, std::string example) {
    ensure(!example.empty(), "a required parameter needs an example");
    return add(std::move(key), member, std::move(doc), std::move(example));
  }

  template <class F>
  Schema& optional(std::string key, F T::* member, std::string doc) {
    return add(std::move(key), member, std::move(doc), "");
  }

  // Bounds of the parameter declared last, for each of its numbers.
  Schema& positive() { return bound(&Bounds::above, 0.0); }

  Schema& not_negative() { return bound(&Bounds::least, 0.0); }

  // For counts stored as double.
  Schema& whole() {
    ensure(!fields_.empty() && fields_.back().bounded, "only a number can be whole");
    fields_.back().bounds.whole = true;
    return *this;
  }

  Schema& at_least(double number) { return bound(&Bounds::least, number, Dimension{}); }

  Schema& at_most(double number) { return bound(&Bounds::most, number, Dimension{}); }

  template <Dimension D>
  Schema& at_least(Quantity<D> quantity) {
    return bound(&Bounds::least, quantity.si(), D);
  }

  template <Dimension D>
  Schema& at_most(Quantity<D> quantity) {
    return bound(&Bounds::most, quantity.si(), D);
  }

  // The parameter declared last has an effect only where `used` holds; giving it elsewhere is an
  // error. `when` completes "used only with ...", as in "overlap: layer or free".
  Schema& used_if(std::function<bool(const T&)> used, std::string when) {
    ensure(!fields_.empty() && declared_.back().example.empty(), "only an option can be unused");
    declared_.back().doc += " (only with " + when + ")";
    fields_.back().used = std::move(used);
    fields_.back().when = std::move(when);
    return *this;
  }

  // Throws ConfigError on unknown keys, missing required keys, wrong kinds, broken bounds, and keys
  // without effect.
  [[nodiscard]] T read(const Config& config) const {
    check_keys(config, name_, declared_);
    T value{};
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (const Config* found = config.find(declared_[i].key)) {
        fields_[i].read(value, *found, fields_[i].bounds);
      } else if (!declared_[i].example.empty()) {
        reject_missing(config, declared_[i]);
      }
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Config* found = fields_[i].used ? config.find(declared_[i].key) : nullptr;
      if (found != nullptr && !fields_[i].used(value)) {
        reject_unused(*found, fields_[i].when);
      }
    }
    return value;
  }

  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] const std::string& doc() const { return doc_; }

  // In order of declaration.
  [[nodiscard]] std::vector<Parameter> parameters() const {
    std::vector<Parameter> rows = declared_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].type = fields_[i].type() + bounds_text(fields_[i].bounds, fields_[i].dimension);
      rows[i].default_value = rows[i].example.empty() ? fields_[i].print(T{}) : "required";
    }
    return rows;
  }

  [[nodiscard]] std::string reference() const { return reference_text(name_, doc_, parameters()); }

  // "{bandwidth: 25 GB/s, latency: 500 ns}"
  [[nodiscard]] std::string to_text(const T& value) const {
    std::string text;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      text += (i == 0 ? "" : ", ") + declared_[i].key + ": " + fields_[i].print(value);
    }
    return "{" + text + "}";
  }

 private:
  struct Field {
    std::function<void(T&, const Config&, const Bounds&)> read;
    std::function<std::string()> type;
    std::function<std::string(const T&)> print;
    Bounds bounds;
    bool bounded = false;
    Dimension dimension;
    std::function<bool(const T&)> used;  // empty: always
    std::string when;
  };

  template <class F>
  Schema& add(std::string key, F T::* member, std::string doc, std::string example) {
    for (const Parameter& other : declared_) {
      ensure(other.key != key, "a parameter is declared twice");
    }
    declared_.push_back({std::move(key), "", "", std::move(doc), std::move(example)});
    fields_.push_back(
        {.read =
             [member](T& value, const Config& config, const Bounds& bounds) {
               value.*member = ConfigReader<F>::read(config);
               if constexpr (Measured<F>::kBounded) {
                 check_bounds(config, value.*member, bounds);
               }
             },
         .type = [] { return ConfigReader<F>::type_text(); },
         .print = [member](const T& value) { return ConfigReader<F>::to_text(value.*member); },
         .bounds = {},
         .bounded = Measured<F>::kBounded,
         .dimension = Measured<F>::kDimension,
         .used = {},
         .when = {}});
    return *this;
  }

  Schema& bound(double Bounds::* end, double si) {
    ensure(!fields_.empty() && fields_.back().bounded, "only a number can be bounded");
    fields_.back().bounds.*end = si;
    return *this;
  }

  Schema& bound(double Bounds::* end, double si, Dimension dimension) {
    ensure(!fields_.empty() && fields_.back().dimension == dimension,
           "a bound must have the dimension of its parameter");
    return bound(end, si);
  }

  std::string name_;
  std::string doc_;
  std::vector<Parameter> declared_;  // type and default_value are filled by parameters()
  std::vector<Field> fields_;        // parallel to declared_
};

template <class S>
concept HasSchema = requires(const S* tag) {
  { schema_of(tag) } -> std::same_as<const Schema<S>&>;
};

template <HasSchema S>
struct ConfigReader<S> {
  static const Schema<S>& schema() { return schema_of(static_cast<const S*>(nullptr)); }

  static S read(const Config& config) { return schema().read(config); }

  static std::string type_text() { return schema().name(); }

  static std::string to_text(const S& value) { return schema().to_text(value); }
};

// Any readable type: read_config<LinkParams>(config), read_config<std::vector<Bytes>>(config).
template <class F>
F read_config(const Config& config) {
  return ConfigReader<F>::read(config);
}

}  // namespace cairn
