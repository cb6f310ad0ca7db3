// A result as a self-contained HTML report.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "cairn/report/document.hpp"

namespace cairn::report {

// Placeholders in the page: for the result as JSON, and for its metadata.
inline constexpr std::string_view kResultGoesHere = R"("CAIRN_RESULT_HERE")";
inline constexpr std::string_view kAboutGoesHere = R"("CAIRN_ABOUT_HERE")";

// JSON without whitespace, safe inside a script element: `<`, `>`, `&`, U+2028 and U+2029 in
// strings are escaped. Precondition: `json` is valid.
std::string embedded_json(std::string_view json);

// The page with the output of --json --detail, long lists packed, and the metadata
// {"title", "command", "date", "shown"}, where `shown` is the text output:
//   {"fields": [{"label", "text", "note"}], "tables": [{"title", "columns": [{"label", "unit"}],
//    "rows": [[cell, ...]]}], "notes": [text]}
// Precondition: the page has each placeholder once, in this order.
void write_page(std::string_view page, const Document& document, std::ostream& out);

}  // namespace cairn::report
