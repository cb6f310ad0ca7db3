// A document for programs: one JSON object. Numbers are SI, and a key ends in its unit; what is
// unknown, or unlimited, is null. Keys keep their order.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cairn/report/document.hpp"

namespace cairn::report {

// Of what programs rely on: raised when a key changes its meaning or goes.
inline constexpr int kSchemaVersion = 1;

enum class Detail : std::uint8_t { kBrief, kAll };

// Begins with the verb, the versions and the name. JSON has no numbers that are not finite: they
// become the texts "NaN", "Infinity" and "-Infinity".
nlohmann::ordered_json json_tree(const Document& document, Detail detail = Detail::kBrief);

nlohmann::ordered_json json_value(const Value& value);

// The tree as text, indented, ending in a line break. Bytes that are no UTF-8 become the
// replacement character.
std::string json_of(const Document& document, Detail detail = Detail::kBrief);

}  // namespace cairn::report
