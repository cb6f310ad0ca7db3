// A chart as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cairn/report/chart.hpp"

namespace cairn::report {

// {"id", "title", "kind", "x": {"name", "unit", "values"}, "y": {"name", "unit"}, "series":
// [{"name", "values", "x", "published", "boxes"}]}, without the members that this kind
// of chart lacks; "levels", "band" and "published_totals" if present. Missing values and those of
// a gap category are null.
nlohmann::ordered_json chart_json(const Chart& chart);

}  // namespace cairn::report
