// A generated chip, for people.
#pragma once

#include <string>

#include "cairn/chip/cost.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::report {

// No line is longer than kLineWidth, as far as names allow.
std::string chip_text(const chip::Generated& chip, const chip::Cost& cost);

}  // namespace cairn::report
