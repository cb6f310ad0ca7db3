// The sensitivity of a design as a document.
#pragma once

#include <string>

#include "cairn/explore/sensitivity.hpp"
#include "cairn/report/document.hpp"

namespace cairn::explore {

// `design`: name of the design.
report::Document document_of(const std::string& design,
                             const Sensitivity& found,
                             const SensitivityOptions& options);

// The table only, machine-readable, as part of the document of a step.
report::Table elasticities(const Sensitivity& found);

}  // namespace cairn::explore
