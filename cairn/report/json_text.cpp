#include "cairn/report/json_text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace cairn::report {

namespace {

using Json = nlohmann::ordered_json;

void name_what_is_not_finite(Json& json) {
  if (json.is_structured()) {
    for (Json& inner : json) {
      name_what_is_not_finite(inner);
    }
  } else if (json.is_number_float()) {
    const double value = json.get<double>();
    if (std::isnan(value)) {
      json = "NaN";
    } else if (std::isinf(value)) {
      json = value > 0.0 ? "Infinity" : "-Infinity";
    }
  }
}

}  // namespace

std::string json_text(Json json) {
  name_what_is_not_finite(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cairn::report
