#include "cairn/report/document_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/report/chart_json.hpp"

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

void add_blocks(const Document& document, Detail detail, Json& json);

struct ToJson {
  Json operator()(Value::Absent /*value*/) const { return nullptr; }

  Json operator()(const Number& value) const {
    return std::isnan(value.si)   ? Json("NaN")
           : std::isinf(value.si) ? Json(value.si > 0.0 ? "Infinity" : "-Infinity")
                                  : Json(value.si);
  }

  Json operator()(const Verdict& value) const { return value.text; }

  Json operator()(const List& values) const {
    Json json = Json::array();
    for (const Value& value : values) {
      json.push_back(std::visit(*this, value.data));
    }
    return json;
  }

  Json operator()(const Object& members) const {
    Json json = Json::object();
    for (const auto& [key, value] : members) {
      if (!value.is_absent()) {
        json[key] = std::visit(*this, value.data);
      }
    }
    return json;
  }

  Json operator()(const Value::Inner& inner) const {
    Json json = Json::object();
    add_blocks(*inner, Detail::kBrief, json);
    return json;
  }

  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

Json row_json(const std::vector<Column>& columns, const std::vector<Value>& row) {
  ensure(row.size() == columns.size(), "a table's row with a wrong number of cells");
  Json json = Json::object();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    if (column.key.empty()) {
      continue;
    }
    Json* within = &json;
    if (!column.group.empty()) {
      within = &json[column.group];
      *within = within->is_null() ? Json::object() : std::move(*within);
    }
    if (!row[c].is_absent()) {
      (*within)[column.key] = json_value(row[c]);
    }
  }
  return json;
}

struct BlockToJson {
  Detail detail;
  Json& json;

  void operator()(const Field& field) const {
    const bool wanted = !field.detail || detail == Detail::kAll;
    if (wanted && !field.key.empty() && !field.value.is_absent()) {
      json[field.key] = json_value(field.value);
    }
  }

  void operator()(const Table& table) const {
    if (table.key.empty() || (table.detail && detail == Detail::kBrief)) {
      return;
    }
    Json rows = Json::array();
    for (const auto& row : table.rows) {
      rows.push_back(row_json(table.columns, row));
    }
    (table.group.empty() ? json : json[table.group])[table.key] = std::move(rows);
  }

  void operator()(const Paragraph& /*paragraph*/) const {}

  void operator()(const Figures& figures) const {
    if (!figures.key.empty()) {
      Json& list = json[figures.key] = Json::array();
      for (const Chart& chart : figures.charts) {
        list.push_back(chart_json(chart));
      }
    }
  }
};

void add_blocks(const Document& document, Detail detail, Json& json) {
  for (const Block& block : document.blocks) {
    std::visit(BlockToJson{detail, json}, block);
  }
}

}  // namespace

Json json_value(const Value& value) {
  return std::visit(ToJson{}, value.data);
}

Json json_tree(const Document& document, Detail detail) {
  Json json = Json::object();
  if (!document.verb.empty()) {
    json["verb"] = document.verb;
    json["cairn_version"] = document.version;
    json["schema_version"] = kSchemaVersion;
  }
  for (const auto& [key, text] :
       {std::pair("name", &document.name), std::pair("description", &document.description)}) {
    if (!text->empty()) {
      json[key] = *text;
    }
  }
  add_blocks(document, detail, json);
  return json;
}

std::string json_of(const Document& document, Detail detail) {
  return json_tree(document, detail).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cairn::report
