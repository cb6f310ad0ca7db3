// A generated chip as a document.
#pragma once

#include "cairn/chip/cost.hpp"
#include "cairn/chip/generate.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

Document document_of(const chip::Generated& chip, const chip::Cost& cost);

}  // namespace cairn::report
