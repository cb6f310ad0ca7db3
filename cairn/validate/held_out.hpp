// Which measured times are held out: not fitted on by calibration.
#pragma once

#include <vector>

#include "cairn/validate/comparison.hpp"

namespace cairn::validate {

// By case: what the file says (column `held_out`). Else every third shape of a kind that
// calibration fits, in the order of the file; of other kinds all but groups named "(fitted)".
std::vector<bool> held_out(const Comparison& comparison);

// Drops the cases and skipped rows that are not held out.
void keep_held_out(Comparison& comparison);

}  // namespace cairn::validate
