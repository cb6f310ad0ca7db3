#include "cairn/explore/evaluator.hpp"

#include <algorithm>
#include <limits>

#include "cairn/least_step.hpp"

namespace cairn::explore {

Evaluator::Evaluator(const Request& request, const DataFolders& folders)
    : request_(request), context_{DesignReader(folders)} {}

Feasible<Design> Evaluator::design_at(const search::Point& point) {
  Config config =
      request_.designs.config(request_.designs.settings(point), context_.reader.folders());
  allow_unused(config);  // keys unused by this point may be used by others
  return context_.reader.read(config);
}

Finding Evaluator::evaluate(const search::Point& point) {
  try {
    const auto design = design_at(point);
    if (!design) {
      return {.reason = design.reason()};
    }
    const auto step = cairn::evaluate(*design, context_.cache, Detail::kTrial);
    if (!step) {
      return {.reason = step.reason()};
    }
    Finding finding{.bound = step->bound};
    for (const Metric& metric : metrics()) {
      finding.figures.push_back(metric.of(*design, *step));
    }
    return finding;
  } catch (const ConfigError& error) {
    return {.reason = {Lack::kReadableDesign, error.what()}};
  }
}

bool Evaluator::is_readable(const std::vector<std::string>& settings) {
  const auto design =
      context_.reader.read(request_.designs.config(settings, context_.reader.folders()));
  if (!design) {
    return false;
  }
  context_.cache.plan(*design, plan::MicroBatches::kRepeated);
  return true;
}

double Evaluator::bound(const search::Point& point) {
  constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  const Metric& objective = *request_.objectives.front();
  if (objective.lower_bound == nullptr) {
    return kUnknown;
  }
  try {
    const auto design = design_at(point);
    if (!design) {
      return kUnknown;
    }
    const auto plan = context_.cache.plan(*design, plan::MicroBatches::kRepeated);
    if (!plan) {
      return kUnknown;
    }
    const auto costs = cost_kernels(**plan, *design, context_.cache);
    return costs ? objective.lower_bound(**plan, least_step_time(**plan, *costs, *design))
                 : kUnknown;
  } catch (const ConfigError&) {
    return kUnknown;
  }
}

search::Outcome outcome_of(const Finding& finding, const Request& request) {
  if (finding.figures.empty()) {
    return search::Outcome::infeasible(request.objectives.size(),
                                       finding.reason.constraint_violation);
  }
  search::Outcome outcome;
  for (const Metric* objective : request.objectives) {
    outcome.objectives.push_back(finding.figure(*objective));
  }
  for (const Limit& limit : request.limits) {
    outcome.constraint_violation =
        std::max(outcome.constraint_violation, finding.figure(*limit.metric) / limit.maximum - 1.0);
  }
  if (std::ranges::any_of(outcome.objectives, [](double value) {
        return value == std::numeric_limits<double>::infinity();
      })) {
    outcome.constraint_violation = std::numeric_limits<double>::infinity();
  }
  return outcome;
}

}  // namespace cairn::explore
