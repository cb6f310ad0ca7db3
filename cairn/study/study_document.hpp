// A study as a document.
#pragma once

#include <vector>

#include "cairn/report/document.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

// The claims as a table, then why those fail that do, tables and figures. `ranges`: the intervals
// over the choices that each assumption leaves; empty: not asked for.
report::Document document_of(const StudyResult& result, const std::vector<ClaimRange>& ranges = {});

// Its claims alone: as CSV, beside those of its other tables.
report::Table claims_of(const StudyResult& result, const std::vector<ClaimRange>& ranges = {});

report::Table table_of(const Table& table);

}  // namespace cairn::study
