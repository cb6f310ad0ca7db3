// A study for people and programs.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cairn/study/study.hpp"

namespace cairn::report {

// The claims as a table, then why those fail that do.
std::string study_text(const study::StudyResult& result);

// The intervals over the choices that each assumption leaves.
std::string study_range_text(const study::StudyResult& result,
                             const std::vector<study::ClaimRange>& ranges);

std::string study_json(const study::StudyResult& result,
                       const std::vector<study::ClaimRange>& ranges);

// Claims as comma-separated values.
void write_claims_csv(const study::StudyResult& result, std::ostream& out);

// A chart's numbers as comma-separated values: a row per category or x, a column per series.
void write_chart_csv(const Chart& chart, std::ostream& out);

}  // namespace cairn::report
