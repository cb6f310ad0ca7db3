// Designs of a search, evaluated. Any number of threads.
#pragma once

#include <string>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/explore/search_file.hpp"
#include "cairn/search/outcome.hpp"

namespace cairn::explore {

// What came of one design.
struct Finding {
  std::vector<double> figures{};  // by metric, SI; empty: it cannot be
  std::string bound_by{};
  Infeasible reason{};  // why it cannot be

  [[nodiscard]] double figure(const Metric& metric) const {
    return figures[static_cast<std::size_t>(&metric - metrics().data())];
  }
};

class Evaluator {
 public:
  Evaluator(const Request& request, const DataFolders& folders);

  // A design that is wrong, and not only impossible, counts as impossible as well: points that the
  // user did not write may ask for a batch that no device can have.
  Finding evaluate(const search::Point& point);

  // At least what the one objective of it would be: of time, by what devices must do and send
  // (least_step.hpp). Minus infinity where nothing is known, and of what cannot be, so that it is
  // soon tried and found to be so.
  double bound(const search::Point& point);

  // Whether the design with these settings can be read, whatever comes of it then; not if its chip
  // cannot be made, as the rest of it is not looked at. Throws ConfigError.
  bool reads(const std::vector<std::string>& settings);

 private:
  Feasible<Design> design_at(const search::Point& point);

  const Request& request_;
  DesignReader reader_;
  EvaluationCache cache_{};
};

// As the algorithm sees it.
search::Outcome outcome_of(const Finding& finding, const Request& request);

}  // namespace cairn::explore
