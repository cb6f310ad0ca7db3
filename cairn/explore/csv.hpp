// All trials of a search as a table that other programs read.
#pragma once

#include <ostream>

#include "cairn/explore/explore.hpp"

namespace cairn::explore {

// One row per trial, in the order in which they were asked for: what varies, metrics in SI units
// (their header has the unit), what bounds the step, what an impossible design lacks and why, and
// whether the trial is of the front. Numbers read back as they were; what is unknown is empty.
void write_trials_csv(const Request& request, const Exploration& found, std::ostream& out);

}  // namespace cairn::explore
