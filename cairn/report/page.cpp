#include "cairn/report/page.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/document_json.hpp"
#include "cairn/report/document_text.hpp"
#include "cairn/report/packed_json.hpp"

namespace cairn::report {

namespace {

// Replacement text for the next `length` bytes of a JSON string.
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
      return {json.substr(at, 2), 2};  // an escaped quote does not end the string
    default:
      break;
  }
  // Line and paragraph separators, which ended lines in JavaScript before ES2019.
  const std::string_view three = json.substr(at, 3);
  if (three == "\u2028") {
    return {R"(\u2028)", 3};
  }
  if (three == "\u2029") {
    return {R"(\u2029)", 3};
  }
  return {json.substr(at, 1)};
}

using Json = nlohmann::ordered_json;

Json with_unit(const Column& column, const std::vector<std::vector<Value>>& rows, std::size_t c) {
  Json json{{"label", *column.label}};
  if (column.show != Show::kValue) {
    json["unit"] = "%";
    return json;
  }
  for (const std::vector<Value>& row : rows) {
    if (const auto* number = std::get_if<Number>(&row[c].data)) {
      if (number->dimension != Dimension{}) {
        json["unit"] = dimension_text(number->dimension).unit;
      }
      break;
    }
  }
  return json;
}

// The text output, for pages without charts of their own.
struct Shown {
  Json fields = Json::array();
  Json tables = Json::array();
  Json notes = Json::array();

  void operator()(const Field& field) {
    const std::string text = field_text(field);
    if (!text.empty()) {
      fields.push_back({{"label", field.label}, {"text", text}, {"note", field.note}});
    }
  }

  void operator()(const Table& table) {
    Json columns = Json::array();
    Json rows(table.rows.size() + (table.total.empty() ? 0 : 1), Json::array());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!table.columns[c].label || table.columns[c].show == Show::kBar) {
        continue;
      }
      columns.push_back(with_unit(table.columns[c], table.rows, c));
      for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].push_back(json_value(r < table.rows.size() ? table.rows[r][c] : table.total[c]));
      }
    }
    if (!table.detail && !columns.empty() && !rows.empty()) {
      tables.push_back({{"title", table.title}, {"columns", columns}, {"rows", rows}});
    }
  }

  void operator()(const Paragraph& paragraph) {
    notes.push_back(paragraph.lead + (paragraph.lead.empty() ? "" : ": ") + paragraph.text);
  }

  void operator()(const Figures& /*figures*/) {}
};

Json about(const Document& document) {
  Shown shown;
  for (const Block& block : document.blocks) {
    std::visit(shown, block);
  }
  return {{"title", document.title},
          {"command", document.command},
          {"date", document.date},
          {"shown",
           {{"fields", std::move(shown.fields)},
            {"tables", std::move(shown.tables)},
            {"notes", std::move(shown.notes)}}}};
}

std::string embedded(const Json& json) {
  return embedded_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Position of the only `mark`.
std::size_t place_of(std::string_view mark, std::string_view page) {
  const std::size_t place = page.find(mark);
  ensure(place != std::string_view::npos && page.find(mark, place + 1) == std::string_view::npos,
         "a page without exactly one placeholder");
  return place;
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

void write_page(std::string_view page, const Document& document, std::ostream& out) {
  const std::size_t result = place_of(kResultGoesHere, page);
  const std::size_t rest = place_of(kAboutGoesHere, page);
  const std::size_t behind = result + kResultGoesHere.size();
  ensure(behind <= rest, "a page with metadata before the result");
  Json json = json_tree(document, Detail::kAll);
  pack_long_lists(json);
  out << page.substr(0, result) << embedded(json) << page.substr(behind, rest - behind)
      << embedded(about(document)) << page.substr(rest + kAboutGoesHere.size());
}

}  // namespace cairn::report
