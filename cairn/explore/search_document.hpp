// The result of a search as a document.
#pragma once

#include <chrono>
#include <string>

#include "cairn/explore/explore.hpp"
#include "cairn/report/document.hpp"

namespace cairn::explore {

// `name`: name of the search. With `detail` also `axes`, `metrics` and `trials`. Precondition:
// `found` has a feasible design.
report::Document document_of(const std::string& name,
                             const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took,
                             bool detail);

// One row per trial, in the order proposed: settings, metrics in SI units, what bounds the step,
// the limit that an infeasible design violates, and details. CSV also has a column for the front.
report::Table trials_of(const Request& request, const Exploration& found);

}  // namespace cairn::explore
