// The report page, without a result: one HTML file that needs nothing else (web/README.md).
#pragma once

#include <string_view>

namespace cairn::report {

// Holds `"CAIRN_RESULT_HERE"` once, where the result belongs.
std::string_view page_source();

}  // namespace cairn::report
