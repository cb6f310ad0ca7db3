// A result, independent of its output format: fields with key, unit, label and note, tables,
// paragraphs and figures. A number is added to a result in one place. Text (document_text.hpp),
// JSON (document_json.hpp), CSV (csv.hpp), HTML (page.hpp) and comparisons (read_result.hpp) are
// rendered from the same document.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/base/quantity.hpp"
#include "cairn/report/chart.hpp"
#include "cairn/report/table.hpp"
#include "cairn/report/tone.hpp"

namespace cairn::report {

// In SI units.
struct Number {
  double si = 0.0;
  Dimension dimension{};
};

// A verdict with its tone: "holds".
struct Verdict {
  std::string text{};
  Tone tone = Tone::kFaint;
};

struct Document;
struct Member;
struct Value;

using List = std::vector<Value>;
using Object = std::vector<Member>;  // keys in this order

// One value of a result. Absent: the key is omitted. Null: unknown or unlimited.
struct Value {
  using Absent = std::monostate;
  using Inner = std::shared_ptr<const Document>;  // a nested document, as an object

  std::variant<Absent,
               std::nullptr_t,
               bool,
               std::int64_t,
               Number,
               std::string,
               Verdict,
               List,
               Object,
               Inner>
      data{};

  Value() = default;

  // Numbers, quantities, texts, ranges of them, and std::optional (std::nullopt becomes null).
  template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, Value>)
  Value(T&& value) {  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
    set(std::forward<T>(value));
  }

  [[nodiscard]] bool is_absent() const { return std::holds_alternative<Absent>(data); }

 private:
  template <class T>
  void set(T&& value);
};

struct Member {
  std::string key{};
  Value value{};
};

template <class T>
void Value::set(T&& value) {
  using Given = std::remove_cvref_t<T>;
  if constexpr (requires { value.has_value(); }) {
    if (value) {
      set(*std::forward<T>(value));
    } else {
      data = nullptr;
    }
  } else if constexpr (std::same_as<Given, bool> || std::same_as<Given, std::nullptr_t>) {
    data = value;
  } else if constexpr (std::integral<Given>) {
    data = static_cast<std::int64_t>(value);
  } else if constexpr (std::floating_point<Given>) {
    data = Number{value, {}};
  } else if constexpr (requires { Given::kDimension; }) {
    data = Number{value.si(), Given::kDimension};
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    data = std::string(std::forward<T>(value));
  } else if constexpr (requires { data = std::forward<T>(value); }) {
    data = std::forward<T>(value);
  } else {
    data = List(std::ranges::begin(value), std::ranges::end(value));
  }
}

// std::nullopt becomes absent, not null.
template <class T>
Value if_known(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

inline Value if_given(const std::string& text) {
  return text.empty() ? Value() : Value(text);
}

// Null if infinite.
template <class Q>
Value or_unlimited(Q quantity) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if constexpr (requires { quantity.si(); }) {
    return quantity.si() < kNone ? Value(quantity) : Value(nullptr);
  } else {
    return quantity < kNone ? Value(quantity) : Value(nullptr);
  }
}

// A line of text output and a member of the JSON object. Absent values appear in neither.
struct Field {
  std::string key{};  // ends in the unit: "step_time_s"; empty: text only
  Value value{};
  std::string label{};          // empty: JSON only; " ": continues the field above
  std::string text{};           // value as text; empty: four digits with the unit
  std::string note{};           // after the value
  std::optional<double> bar{};  // a bar before the note: fraction of full length
  bool detail = false;          // only in full output: --detail, HTML reports
};

enum class Show : std::uint8_t { kValue, kPercent, kSignedPercent, kBar, kBarAndPercent };

struct Column {
  std::string key{};                   // empty: text only
  std::optional<std::string> label{};  // column heading; nothing: JSON only
  Align align = Align::kRight;
  Show show = Show::kValue;
  std::size_t widest = std::string_view::npos;  // in text; kRestOfLine: what other columns leave
  bool numbered = false;                        // the second "up" reads "up (2)" in text
  std::string group{};                          // JSON object within a row that contains it
  std::string csv{};  // heading in CSV; if no column has one, all columns with a key are written
  int digits = 4;     // of numbers without a unit, in text
};

// A table in text, a list of objects in JSON.
struct Table {
  static constexpr std::size_t kAll = std::string_view::npos;

  std::string key{};    // empty: text only
  std::string group{};  // JSON object that contains it; empty: the top level
  std::string title{};  // above it
  std::vector<Column> columns{};
  std::vector<std::vector<Value>> rows{};  // a value per column
  std::vector<Value> total{};              // last row in text; empty: none
  std::size_t shown = kAll;                // maximum rows in text
  std::vector<bool> hidden{};              // by row: hidden in text; empty: none is
  bool counts_hidden = false;              // text states how many are hidden
  bool follows = false;                    // in text: no empty line above it
  bool detail = false;
};

// In text only.
struct Paragraph {
  std::string text{};
  std::string lead{};      // before the text, padded to `indent`
  std::size_t indent = 0;  // of all lines but the first
  bool follows = false;    // no empty line above it
  bool verbatim = false;   // lines are not wrapped
};

struct Figures {
  std::string key{};  // empty: not in JSON
  std::vector<Chart> charts{};
};

using Block = std::variant<Field, Table, Paragraph, Figures>;

struct Document {
  std::string verb{};         // command that produced it; empty: part of another document
  std::string name{};         // name of the design, study, ... as given; empty: none
  std::string title{};        // in text and on pages
  std::string description{};  // one line, from the input file
  std::string version{};      // of the program
  std::string command{};      // full command line; on pages
  std::string date{};         // of the run; on pages
  std::vector<Block> blocks{};

  void add(Block block) { blocks.push_back(std::move(block)); }

  // In JSON only.
  void add(std::string key, Value value) {
    blocks.emplace_back(Field{.key = std::move(key), .value = std::move(value)});
  }

  // The charts of all figures.
  [[nodiscard]] std::vector<Chart> charts() const;
};

}  // namespace cairn::report
