// What a platform is made of, for people.
#pragma once

#include <string>

#include "cairn/platform/facts.hpp"
#include "cairn/platform/platform.hpp"

namespace cairn::report {

// No line is longer than kLineWidth.
std::string platform_text(const platform::Platform& platform, const platform::Facts& facts);

}  // namespace cairn::report
