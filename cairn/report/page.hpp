// A result as a page of its own: one HTML file that needs nothing else.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "cairn/report/document.hpp"

namespace cairn::report {

// What stands in the page where the result goes, as JSON, and where all else about it goes.
inline constexpr std::string_view kResultGoesHere = R"("CAIRN_RESULT_HERE")";
inline constexpr std::string_view kAboutGoesHere = R"("CAIRN_ABOUT_HERE")";

// JSON without what only people need, in which no text can end a script or begin a tag: `<`, `>`,
// `&`, U+2028 and U+2029 inside of strings are escaped. Precondition: `json` is valid.
std::string embedded_json(std::string_view json);

// The page with all of a document in it: what --json --detail prints, long lists packed; and about
// it {"title", "command", "date", "shown"}, where `shown` is what people read of it as text:
//   {"fields": [{"label", "text", "note"}], "tables": [{"title", "columns": [{"label", "unit"}],
//    "rows": [[cell, ...]]}], "notes": [text]}
// Precondition: the page has one place for each, in this order.
void write_page(std::string_view page, const Document& document, std::ostream& out);

}  // namespace cairn::report
