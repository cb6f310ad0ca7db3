#include "cairn/explore/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/report/csv.hpp"

namespace cairn::explore {

using report::csv_cell;

void write_trials_csv(const Request& request, const Exploration& found, std::ostream& out) {
  for (const Variable& variable : request.designs.variables) {
    out << csv_cell(variable.key) << ',';
  }
  for (const Metric& metric : metrics()) {
    out << key_of(metric) << ',';
  }
  out << "bound_by,lacks,detail,missed_by,front\n";
  for (std::size_t i = 0; i < found.trials.size(); ++i) {
    const auto& [point, finding] = found.trials[i];
    for (std::size_t a = 0; a < request.designs.variables.size(); ++a) {
      out << csv_cell(request.designs.value_text(a, point)) << ',';
    }
    for (std::size_t m = 0; m < metrics().size(); ++m) {
      const bool known = !finding.figures.empty() && std::isfinite(finding.figures[m]);
      out << (known ? fmt::format("{}", finding.figures[m]) : "") << ',';
    }
    const double missed_by = finding.reason.missed_by;
    const std::string missed = std::isfinite(missed_by) ? fmt::format("{}", missed_by) : "";
    const bool in_front = std::ranges::find(found.front, i) != found.front.end();
    out << csv_cell(finding.bound_by) << ',' << csv_cell(finding.reason.limit()) << ','
        << csv_cell(finding.reason.detail) << ',' << missed << ',' << (in_front ? "yes" : "no")
        << '\n';
  }
}

}  // namespace cairn::explore
