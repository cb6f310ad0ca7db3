// A document as one JSON object. Numbers are in SI units, and keys end in the unit. Unknown and
// unlimited values are null. Keys keep their order.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cairn/report/document.hpp"

namespace cairn::report {

// Version of the JSON contract: incremented when a key changes its meaning or is removed.
inline constexpr int kSchemaVersion = 1;

enum class Detail : std::uint8_t { kBrief, kAll };

// Begins with the verb, the versions and the name. Non-finite numbers, which JSON lacks, become the
// strings "NaN", "Infinity" and "-Infinity".
nlohmann::ordered_json json_tree(const Document& document, Detail detail = Detail::kBrief);

nlohmann::ordered_json json_value(const Value& value);

// The tree as text, indented, ending in a line break. Invalid UTF-8 becomes the
// replacement character.
std::string json_of(const Document& document, Detail detail = Detail::kBrief);

}  // namespace cairn::report
