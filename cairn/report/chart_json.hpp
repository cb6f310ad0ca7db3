// A chart for who draws it from JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cairn/report/chart.hpp"

namespace cairn::report {

// {"id", "title", "kind", "x": {"name", "unit", "values"}, "y": {"name", "unit"}, "series":
// [{"name", "values", "x", "published", "boxes"}]}, where what a chart of the kind has not is
// absent; "levels", "band" and "published_totals" where it has them. A value that is left out is
// null; so is all of a category that is a gap.
nlohmann::ordered_json chart_json(const Chart& chart);

}  // namespace cairn::report
