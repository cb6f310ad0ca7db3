// A result as a page of its own: one HTML file that needs nothing else.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace cairn::report {

// What stands in the page where the result goes, as JSON.
inline constexpr std::string_view kResultGoesHere = R"("CAIRN_RESULT_HERE")";

// JSON without what only people need, in which no text can end a script or begin a tag: `<`, `>`,
// `&`, U+2028 and U+2029 inside of strings are escaped. Precondition: `json` is valid.
std::string embedded_json(std::string_view json);

// The page with the result in it, long lists packed. Precondition: the page has the one place for
// it.
void write_page(std::string_view page, std::string_view json, std::ostream& out);

}  // namespace cairn::report
