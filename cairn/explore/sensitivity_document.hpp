// What a little more of each number of a design buys, as a document.
#pragma once

#include <string>

#include "cairn/explore/sensitivity.hpp"
#include "cairn/report/document.hpp"

namespace cairn::explore {

// `design`: what it is called.
report::Document document_of(const std::string& design,
                             const Sensitivity& found,
                             const SensitivityOptions& options);

// Its table alone, for programs, as part of the document of a step.
report::Table elasticities(const Sensitivity& found);

}  // namespace cairn::explore
