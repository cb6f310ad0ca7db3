// Fields that several results share, and text helpers.
#pragma once

#include <cstdint>
#include <string>

#include "cairn/explain/bound.hpp"
#include "cairn/explain/error_bar.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// The bottleneck of a result: as text, and in JSON its kind and, if any, the resource.
void add_bound(Document& document, const explain::Bound& bound);
// The same in an object inside a document.
void add_bound(Object& part, const explain::Bound& bound);

// Mean error of predictions on a calibrated device, or why it is unknown; adds nothing for a device
// that is not calibrated.
void add_error_bar(Document& document, const explain::ErrorBar& bar);

// "12.3 %"
std::string percent(double part);

// A bar of ten marks: full at 1; empty only below half a mark.
std::string bar(double part);

}  // namespace cairn::report
