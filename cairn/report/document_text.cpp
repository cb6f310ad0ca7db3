#include "cairn/report/document_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/base/many.hpp"
#include "cairn/base/printable.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/fields.hpp"
#include "cairn/report/numbered.hpp"

namespace cairn::report {

namespace {

constexpr std::size_t kLabelWidth = 21;
constexpr std::size_t kValueWidth = 12;  // minimum width before a note

struct InWords {
  std::string operator()(Value::Absent /*value*/) const { return ""; }

  std::string operator()(std::nullptr_t /*value*/) const { return "-"; }

  std::string operator()(bool value) const { return value ? "yes" : "no"; }

  std::string operator()(std::int64_t value) const { return std::to_string(value); }

  std::string operator()(const Number& value) const {
    return value.dimension == Dimension{} ? many(value.si)
                                          : quantity_to_text(value.si, value.dimension);
  }

  std::string operator()(const std::string& value) const { return printable(value); }

  std::string operator()(const Verdict& value) const {
    return toned(value.tone, printable(value.text));
  }

  std::string operator()(const List& values) const {
    std::string text;
    for (const Value& value : values) {
      text += (text.empty() ? "" : ", ") + std::visit(*this, value.data);
    }
    return text;
  }

  std::string operator()(const Object& /*value*/) const { return ""; }

  std::string operator()(const Value::Inner& /*value*/) const { return ""; }
};

std::string in_words(const Value& value) {
  return std::visit(InWords{}, value.data);
}

std::string toned_bar(double part) {
  const std::string marks = bar(part);
  const std::size_t full = std::min(marks.find('.'), marks.size());
  return toned(Tone::kBar, marks.substr(0, full)) + toned(Tone::kFaint, marks.substr(full));
}

// Formats numbers; other values stay as they are.
std::string shown_as(Show show, const Value& value, int digits) {
  const auto* number = std::get_if<Number>(&value.data);
  if (number == nullptr || show == Show::kValue) {
    const bool is_plain = number != nullptr && number->dimension == Dimension{};
    return is_plain ? many(number->si, digits) : in_words(value);
  }
  return show == Show::kBar             ? toned_bar(number->si)
         : show == Show::kSignedPercent ? fmt::format("{:+.1f} %", 100.0 * number->si)
                                        : percent(number->si);
}

class TextRenderer {
 public:
  explicit TextRenderer(const TextStyle& style) : style_(style) {}

  std::string render(const Document& document) {
    if (!document.title.empty()) {
      add(Kind::kOther, toned(Tone::kTitle, wrapped(printable(document.title), 0)) + "\n");
    }
    if (!document.description.empty()) {
      add(Kind::kOther, wrapped(printable(document.description), 0) + "\n");
    }
    for (const Block& block : document.blocks) {
      std::visit(*this, block);
    }
    // Non-breaking blanks.
    constexpr std::string_view kUnbroken = "\u00a0";
    for (std::size_t at = 0; (at = text_.find(kUnbroken, at)) != std::string::npos;) {
      text_.replace(at, kUnbroken.size(), " ");
    }
    return painted(text_, style_.colours);
  }

  void operator()(const Field& field) {
    std::string value = field_text(field);
    if (value.empty()) {
      return;
    }
    const std::string note =
        (field.bar ? toned_bar(*field.bar) + "  " : "") + printable(field.note);
    if (!note.empty()) {
      value = fmt::format("{:<{}}  {}", value, kValueWidth, note);
    }
    add(Kind::kField,
        fmt::format(
            "{:<{}}{}\n", printable(field.label), kLabelWidth, wrapped(value, kLabelWidth)));
  }

  void operator()(const Table& table) {
    std::vector<const std::vector<Value>*> told;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      if (table.hidden.empty() || !table.hidden[r]) {
        told.push_back(&table.rows[r]);
      }
    }
    std::size_t more = table.counts_hidden ? table.rows.size() : told.size();
    told.resize(std::min(table.shown, told.size()));
    if (table.detail || told.empty()) {
      return;
    }
    more -= told.size();
    if (!table.total.empty()) {
      told.push_back(&table.total);
    }
    std::vector<TextColumn> columns;
    std::vector<std::vector<std::string>> rows(told.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].label) {
        add_column(table.columns[c], c, told, columns, rows);
      }
    }
    if (columns.empty()) {
      return;
    }
    if (!table.title.empty()) {
      add(Kind::kOther, wrapped(printable(table.title), 0) + "\n", table.follows);
    }
    add(Kind::kOther,
        table_text(std::move(columns), rows, style_.width) +
            (more > 0 ? fmt::format("{} more in --json\n", more) : ""),
        table.follows && table.title.empty());
  }

  void operator()(const Paragraph& paragraph) {
    const std::string lead =
        paragraph.lead.empty() ? ""
                               : fmt::format("{:<{}}", printable(paragraph.lead), paragraph.indent);
    const std::string text = paragraph.verbatim
                                 ? printable_lines(paragraph.text)
                                 : wrapped(printable(paragraph.text), paragraph.indent);
    add(Kind::kOther, lead + text + (text.ends_with('\n') ? "" : "\n"), paragraph.follows);
  }

  void operator()(const Figures& /*figures*/) const {}

 private:
  enum class Kind : std::uint8_t { kNothing, kField, kOther };

  void add(Kind kind, const std::string& text, bool follows = false) {
    const bool gap =
        last_ != Kind::kNothing && !follows && !(kind == Kind::kField && last_ == Kind::kField);
    text_ += (gap ? "\n" : "") + text;
    last_ = kind;
  }

  [[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent) const {
    return wrap_text(text, indent, style_.width);
  }

  // One column of the document, or two: a bar and its number.
  static void add_column(const Column& column,
                         std::size_t c,
                         const std::vector<const std::vector<Value>*>& told,
                         std::vector<TextColumn>& columns,
                         std::vector<std::vector<std::string>>& rows) {
    const bool both = column.show == Show::kBarAndPercent;
    columns.push_back({printable(*column.label),
                       both || column.show == Show::kBar ? Align::kLeft : column.align,
                       column.widest});
    Numbered numbered;  // parallel links share a name
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::string cell =
          shown_as(both ? Show::kBar : column.show, (*told[r])[c], column.digits);
      rows[r].push_back(column.numbered ? numbered(cell) : cell);
    }
    if (both) {
      columns.push_back({});
      for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].push_back(shown_as(Show::kPercent, (*told[r])[c], column.digits));
      }
    }
  }

  TextStyle style_;
  std::string text_;
  Kind last_ = Kind::kNothing;
};

}  // namespace

std::string field_text(const Field& field) {
  if (field.label.empty() || field.detail) {
    return "";
  }
  return field.text.empty() ? in_words(field.value) : printable(field.text);
}

std::string text_of(const Document& document, const TextStyle& style) {
  return TextRenderer(style).render(document);
}

}  // namespace cairn::report
