// A study for people and programs.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cairn/study/study.hpp"

namespace cairn::study {

// The claims as a table, then why those fail that do.
std::string study_text(const StudyResult& result);

// The intervals over the choices that each assumption leaves.
std::string study_range_text(const StudyResult& result, const std::vector<ClaimRange>& ranges);

std::string study_json(const StudyResult& result, const std::vector<ClaimRange>& ranges);

// Claims as comma-separated values.
void write_claims_csv(const StudyResult& result, std::ostream& out);

// A chart's numbers as comma-separated values: a row per category or x, a column per series.
void write_table_csv(const Table& table, std::ostream& out);
void write_chart_csv(const report::Chart& chart, std::ostream& out);

}  // namespace cairn::study
