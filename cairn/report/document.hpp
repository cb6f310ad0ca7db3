// A result, before anybody decides how it is shown: fields with a key, a unit, a label and a note,
// tables, paragraphs and figures. A number is added to a result here, in one place; text
// (document_text.hpp), JSON (document_json.hpp), CSV (csv.hpp), pages (page.hpp) and comparisons
// (read_result.hpp) are renderers of the same document.
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

// Text that says how something went: "holds".
struct Verdict {
  std::string text{};
  Tone tone = Tone::kFaint;
};

struct Document;
struct Member;
struct Value;

using List = std::vector<Value>;
using Object = std::vector<Member>;  // keys in this order

// What a result says of one thing. Absent: it says nothing, and the key is left out. Null: it is
// unknown, or unlimited.
struct Value {
  using Absent = std::monostate;
  using Inner = std::shared_ptr<const Document>;  // the members of a document, as an object

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

  // Numbers, quantities, texts, lists of them, and std::optional, of which nothing is null.
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

// Nothing is absent, not null.
template <class T>
Value if_known(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

inline Value if_said(const std::string& text) {
  return text.empty() ? Value() : Value(text);
}

// Null if there is no limit.
template <class Q>
Value or_unlimited(Q quantity) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if constexpr (requires { quantity.si(); }) {
    return quantity.si() < kNone ? Value(quantity) : Value(nullptr);
  } else {
    return quantity < kNone ? Value(quantity) : Value(nullptr);
  }
}

// A line for people and a member of the JSON object. Absent values are in neither.
struct Field {
  std::string key{};  // empty: for people only; ends in the unit: "step_time_s"
  Value value{};
  std::string label{};          // empty: for programs only; " ": goes on with the line above
  std::string text{};           // how people read the value; empty: with its unit, in four digits
  std::string note{};           // behind it
  std::optional<double> bar{};  // before the note: this part of 1
  bool detail = false;          // only where all of a result is asked for: --detail, pages
};

enum class Show : std::uint8_t { kValue, kPercent, kSignedPercent, kBar, kBarAndPercent };

struct Column {
  std::string key{};                   // empty: for people only
  std::optional<std::string> label{};  // of the column's head; nothing: for programs only
  Align align = Align::kRight;
  Show show = Show::kValue;
  std::size_t widest = std::string_view::npos;  // for people; kRestOfLine: what others leave
  bool numbered = false;                        // the second "up" is "up (2)" for people
  std::string group{};                          // the object of a row that it is a member of
  std::string csv{};  // its head in CSV; where no column has one, all that have a key are there
  int digits = 4;     // of numbers without a unit, for people
};

// For people a table, in JSON a list of objects.
struct Table {
  static constexpr std::size_t kAll = std::string_view::npos;

  std::string key{};    // empty: for people only
  std::string group{};  // the object that it is a member of; empty: the result
  std::string title{};  // above it
  std::vector<Column> columns{};
  std::vector<std::vector<Value>> rows{};  // a value per column
  std::vector<Value> total{};              // a last row for people; empty: none
  std::size_t shown = kAll;                // rows for people, at most
  std::vector<bool> hidden{};              // by row: not for people; empty: all are
  bool counts_hidden = false;              // people are told how many are hidden
  bool follows = false;                    // for people: no empty line above it
  bool detail = false;
};

// For people only.
struct Paragraph {
  std::string text{};
  std::string lead{};      // as wide as `indent`, before the text
  std::size_t indent = 0;  // of all lines but the first
  bool follows = false;    // no empty line above it
  bool verbatim = false;   // lines are as they are
};

struct Figures {
  std::string key{};  // empty: drawn only
  std::vector<Chart> charts{};
};

using Block = std::variant<Field, Table, Paragraph, Figures>;

struct Document {
  std::string verb{};         // that it answers; empty: part of another document
  std::string name{};         // what was asked for, as it was called; empty: nothing was
  std::string title{};        // for people
  std::string description{};  // one line, from the file of what was asked for
  std::string version{};      // of the program
  std::string command{};      // that made it; on pages
  std::string date{};         // likewise
  std::vector<Block> blocks{};

  void add(Block block) { blocks.push_back(std::move(block)); }

  // For programs only.
  void add(std::string key, Value value) {
    blocks.emplace_back(Field{.key = std::move(key), .value = std::move(value)});
  }

  // All charts of its figures.
  [[nodiscard]] std::vector<Chart> charts() const;
};

}  // namespace cairn::report
