// Parameters and work of a model as a document.
#pragma once

#include <string>

#include "cairn/model/networks/gpt_size.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// `name`: of the model, as given.
Document document_of(const model::Gpt& gpt, const std::string& name);

}  // namespace cairn::report
