#include "cairn/explore/evaluator.hpp"

#include <algorithm>
#include <limits>

#include "cairn/least_step.hpp"

namespace cairn::explore {

Evaluator::Evaluator(const Request& request, const DataFolders& folders)
    : request_(request), reader_(folders) {}

Feasible<Design> Evaluator::design_at(const search::Point& point) {
  Config config = request_.designs.config(request_.designs.settings(point), reader_.folders());
  allow_unused(config);  // of one point: others may use what it does not
  return reader_.read(config);
}

Finding Evaluator::evaluate(const search::Point& point) {
  try {
    const auto design = design_at(point);
    if (!design) {
      return {.reason = design.reason()};
    }
    const auto step = cairn::evaluate(*design, cache_, Detail::kTrial);
    if (!step) {
      return {.reason = step.reason()};
    }
    Finding finding{.bound_by = step->bound_by};
    for (const Metric& metric : metrics()) {
      finding.figures.push_back(metric.of(*design, *step));
    }
    return finding;
  } catch (const ConfigError& error) {
    return {.reason = {Lack::kReadableDesign, error.what()}};
  }
}

bool Evaluator::reads(const std::vector<std::string>& settings) {
  const auto design = reader_.read(request_.designs.config(settings, reader_.folders()));
  if (!design) {
    return false;
  }
  cache_.plan(*design);
  return true;
}

double Evaluator::bound(const search::Point& point) {
  constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  const Metric& objective = *request_.objectives.front();
  if (objective.least == nullptr) {
    return kUnknown;
  }
  try {
    const auto design = design_at(point);
    if (!design) {
      return kUnknown;
    }
    const auto plan = cache_.plan(*design);
    if (!plan) {
      return kUnknown;
    }
    const auto costs = cost_kernels(**plan, *design, cache_);
    return costs ? objective.least(**plan, least_step_time(**plan, *costs, *design)) : kUnknown;
  } catch (const ConfigError&) {
    return kUnknown;
  }
}

search::Outcome outcome_of(const Finding& finding, const Request& request) {
  if (finding.figures.empty()) {
    return search::Outcome::impossible(request.objectives.size(), finding.reason.missed_by);
  }
  search::Outcome outcome;
  for (const Metric* objective : request.objectives) {
    outcome.objectives.push_back(finding.figure(*objective));
  }
  for (const Limit& limit : request.limits) {
    outcome.missed_by =
        std::max(outcome.missed_by, finding.figure(*limit.metric) / limit.most - 1.0);
  }
  if (std::ranges::any_of(outcome.objectives, [](double value) {
        return value == std::numeric_limits<double>::infinity();
      })) {
    outcome.missed_by = std::numeric_limits<double>::infinity();
  }
  return outcome;
}

}  // namespace cairn::explore
