#include "cairn/explore/evaluator.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::explore {

struct Evaluator::Known {};

Evaluator::Evaluator(const Request& request, const DataFolders& folders)
    : request_(request), folders_(folders), known_(std::make_unique<Known>()) {}

Evaluator::~Evaluator() = default;

Finding Evaluator::evaluate(const search::Point& point) {
  try {
    const auto design = read_design(request_.designs.config(point, folders_), folders_);
    if (!design) {
      return {.reason = design.reason()};
    }
    const auto step = cairn::evaluate(*design);
    if (!step) {
      return {.reason = step.reason()};
    }
    Finding finding{.bound_by = step->bound_by};
    for (const Metric& metric : metrics()) {
      finding.figures.push_back(metric.of(*design, *step));
    }
    return finding;
  } catch (const ConfigError& error) {
    return {.reason = {"design", error.what()}};
  }
}

search::Outcome outcome_of(const Finding& finding, const Request& request) {
  if (finding.figures.empty()) {
    return search::Outcome::impossible(request.objectives.size());
  }
  const auto figure = [&](const Metric* metric) {
    return finding.figures[static_cast<std::size_t>(metric - metrics().data())];
  };
  search::Outcome outcome;
  for (const Metric* objective : request.objectives) {
    outcome.objectives.push_back(figure(objective));
  }
  for (const Limit& limit : request.limits) {
    outcome.missed_by = std::max(outcome.missed_by, figure(limit.metric) / limit.most - 1.0);
  }
  if (std::ranges::any_of(outcome.objectives, [](double value) {
        return value == std::numeric_limits<double>::infinity();
      })) {
    outcome.missed_by = std::numeric_limits<double>::infinity();
  }
  return outcome;
}

}  // namespace cairn::explore
