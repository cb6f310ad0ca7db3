// Evaluates designs of a search. Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/explore/evaluation_context.hpp"
#include "cairn/explore/search_file.hpp"
#include "cairn/search/outcome.hpp"

namespace cairn::explore {

// Result of one design.
struct Finding {
  std::vector<double> figures{};  // by metric, SI; empty: infeasible
  explain::Bound bound{};
  Infeasible reason{};  // why it is infeasible

  [[nodiscard]] double figure(const Metric& metric) const {
    return figures[static_cast<std::size_t>(&metric - metrics().data())];
  }
};

class Evaluator {
 public:
  Evaluator(const Request& request, const DataFolders& folders);

  // An invalid design counts as infeasible too: generated points may combine values that no
  // design can have.
  Finding evaluate(const search::Point& point);

  // Lower bound on the objective, for searches with one objective: for times, from the work and
  // communication of the devices (least_step.hpp). Minus infinity where no bound is known and for
  // infeasible designs, so that they are tried early and reported.
  double bound(const search::Point& point);

  // True if the design with these settings can be read, feasible or not; false if its chip is
  // infeasible, as the rest of the design is not read then. Throws ConfigError.
  bool is_readable(const std::vector<std::string>& settings);

 private:
  Feasible<Design> design_at(const search::Point& point);

  const Request& request_;
  EvaluationContext context_;
};

// The finding as the search algorithm sees it.
search::Outcome outcome_of(const Finding& finding, const Request& request);

}  // namespace cairn::explore
