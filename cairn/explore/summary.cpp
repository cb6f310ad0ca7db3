#include "cairn/explore/summary.hpp"

#include <algorithm>

namespace cairn::explore {

namespace {

constexpr std::size_t kShown = 10;

}  // namespace

std::vector<std::size_t> shown(const Request& request, const Exploration& found) {
  if (request.objectives.size() > 1) {
    return found.front;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < found.trials.size(); ++i) {
    if (outcome_of(found.trials[i].finding, request).keeps_constraints()) {
      order.push_back(i);
    }
  }
  const auto by = [&](std::size_t i) {
    return found.trials[i].finding.figure(*request.objectives[0]);
  };
  std::ranges::stable_sort(order, {}, by);
  order.resize(std::min(order.size(), kShown));
  return order;
}

std::map<std::string, std::size_t> impossible_by_limit(const Exploration& found) {
  std::map<std::string, std::size_t> count;
  for (const DesignTrial& trial : found.trials) {
    if (trial.finding.figures.empty()) {
      ++count[trial.finding.reason.limit];
    }
  }
  return count;
}

std::optional<double> per_second(const Exploration& found, std::chrono::duration<double> took) {
  return took.count() > 0.0
             ? std::optional(static_cast<double>(found.trials.size() - found.stored) / took.count())
             : std::nullopt;
}

}  // namespace cairn::explore
