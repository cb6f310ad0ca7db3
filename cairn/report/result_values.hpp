// All values of a result by key, for comparing results of commands that do not break a time down.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace cairn::report {

struct NamedValue {
  std::string key{};    // "claims[17a].ours"; an item of a list by its name, else by its position
  std::string value{};  // as in JSON, texts without quotes
};

// In the order of the result. Without keys of the run itself, such as the date and the duration.
std::vector<NamedValue> values_of_result(const nlohmann::ordered_json& result);

}  // namespace cairn::report
