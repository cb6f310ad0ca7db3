#include "cairn/report/packed_json.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

bool is_table(const Json& value, std::size_t least) {
  return value.is_array() && value.size() >= least &&
         std::all_of(value.begin(), value.end(), [](const Json& row) { return row.is_object(); });
}

Json packed_column(const std::vector<const Json*>& cells) {
  const bool numbers = std::all_of(cells.begin(), cells.end(), [](const Json* cell) {
    return cell == nullptr || cell->is_number();
  });
  if (numbers) {
    Json values = Json::array();
    for (const Json* cell : cells) {
      values.push_back(cell == nullptr ? Json(nullptr) : *cell);
    }
    return values;
  }
  Json words = Json::array();
  Json at = Json::array();
  std::map<std::string, int> known;  // by their JSON text
  for (const Json* cell : cells) {
    if (cell == nullptr) {
      at.push_back(-1);
      continue;
    }
    const auto [place, is_new] = known.emplace(cell->dump(), static_cast<int>(words.size()));
    if (is_new) {
      words.push_back(*cell);
    }
    at.push_back(place->second);
  }
  return {{"words", std::move(words)}, {"at", std::move(at)}};
}

Json packed_table(const Json& rows) {
  std::vector<std::string> keys;  // in order of first appearance
  std::map<std::string, std::vector<const Json*>> cells;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [key, value] : rows[i].items()) {
      auto& column = cells[key];
      if (column.empty()) {
        keys.push_back(key);
        column.resize(rows.size(), nullptr);
      }
      column[i] = &value;
    }
  }
  Json columns = Json::object();
  for (const std::string& key : keys) {
    columns[key] = packed_column(cells.at(key));
  }
  return {{"packed", rows.size()}, {"columns", std::move(columns)}};
}

}  // namespace

void pack_long_lists(Json& result, std::size_t least) {
  for (auto& [key, value] : result.items()) {
    if (is_table(value, least)) {
      value = packed_table(value);
    }
  }
}

}  // namespace cairn::report
