// What a search found, as a document.
#pragma once

#include <chrono>
#include <string>

#include "cairn/explore/explore.hpp"
#include "cairn/report/document.hpp"

namespace cairn::explore {

// `name`: what the search is called. With `detail` also `axes`, `metrics` and `trials`. Something
// must have been found.
report::Document document_of(const std::string& name,
                             const Request& request,
                             const Exploration& found,
                             std::chrono::duration<double> took,
                             bool detail);

// One row per trial, in the order in which they were asked for: what varies, metrics in SI units,
// what bounds the step, what an infeasible design lacks and why. As CSV also whether the trial is
// of the front.
report::Table trials_of(const Request& request, const Exploration& found);

}  // namespace cairn::explore
