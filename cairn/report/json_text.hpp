// JSON as text, the same way for every result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cairn::report {

// Indented, ending in a line break. JSON has no numbers that are not finite: they become the texts
// "NaN", "Infinity" and "-Infinity". Bytes that are no UTF-8 become the replacement character.
std::string json_text(nlohmann::ordered_json json);

}  // namespace cairn::report
