// A generated chip as one JSON object: SI units, keys end in theirs.
#pragma once

#include <string>

#include "cairn/chip/cost.hpp"
#include "cairn/chip/generate.hpp"

namespace cairn::report {

std::string chip_json(const chip::Generated& chip, const chip::Cost& cost);

}  // namespace cairn::report
