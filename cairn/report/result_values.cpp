#include "cairn/report/result_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 9> kOfTheRun{"schema_version",
                                                    "cairn_version",
                                                    "verb",
                                                    "command",
                                                    "date",
                                                    "threads",
                                                    "elapsed_s",
                                                    "took_s",
                                                    "evaluations_per_s"};

// The keys that name the items of a list, by preference.
constexpr std::array<std::string_view, 6> kNames{"id", "name", "key", "parameter", "limit", "part"};

// "17a"; empty if items have no name, or share one.
std::string name_of(const Json& item, std::string_view key) {
  const auto found = item.is_object() ? item.find(key) : item.end();
  return found != item.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string_view naming_key(const Json& list) {
  const auto* const found = std::ranges::find_if(kNames, [&](std::string_view key) {
    std::vector<std::string> names;
    for (const Json& item : list) {
      names.push_back(name_of(item, key));
    }
    std::ranges::sort(names);
    return !names.empty() && !names.front().empty() &&
           std::ranges::adjacent_find(names) == names.end();
  });
  return found == kNames.end() ? std::string_view() : *found;
}

void add_values(const std::string& key, const Json& value, std::vector<NamedValue>& values) {
  if (value.is_object()) {
    for (const auto& [inner, part] : value.items()) {
      if (!key.empty() || std::ranges::find(kOfTheRun, inner) == kOfTheRun.end()) {
        add_values(key.empty() ? inner : key + "." + inner, part, values);
      }
    }
  } else if (value.is_array()) {
    const std::string_view name = naming_key(value);
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string item = name.empty() ? std::to_string(i) : name_of(value[i], name);
      add_values(fmt::format("{}[{}]", key, item), value[i], values);
    }
  } else {
    values.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
}

}  // namespace

std::vector<NamedValue> values_of_result(const Json& result) {
  std::vector<NamedValue> values;
  add_values("", result, values);
  return values;
}

}  // namespace cairn::report
