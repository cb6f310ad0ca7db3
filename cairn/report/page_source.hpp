// The HTML report without a result: one self-contained file (web/README.md).
#pragma once

#include <string_view>

namespace cairn::report {

// Contains the placeholder `"CAIRN_RESULT_HERE"` once.
std::string_view page_source();

}  // namespace cairn::report
