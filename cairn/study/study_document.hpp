// The document of a study's result.
#pragma once

#include <vector>

#include "cairn/report/document.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

// The claims as a table, the causes of failures, tables and figures. `ranges`: the intervals over
// the choices of each assumption (--range); may be empty.
report::Document document_of(const StudyResult& result, const std::vector<ClaimRange>& ranges = {});

// The claims alone, for CSV.
report::Table claims_of(const StudyResult& result, const std::vector<ClaimRange>& ranges = {});

report::Table table_of(const Table& table);

}  // namespace cairn::study
