#include "cairn/explore/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cairn/explore/effort.hpp"

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
    if (outcome_of(found.trials[i].finding, request).is_feasible()) {
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

std::vector<InfeasibleReason> infeasible_reasons(const Exploration& found) {
  std::vector<InfeasibleReason> reasons;
  std::map<std::pair<std::string, std::string>, std::size_t> place;
  for (const auto& [point, finding] : found.trials) {
    if (!finding.figures.empty()) {
      continue;
    }
    const Infeasible& reason = finding.reason;
    const bool by_amount = std::isfinite(reason.constraint_violation);
    const auto [entry, is_new] =
        place.try_emplace({reason.limit(), by_amount ? "" : reason.detail}, reasons.size());
    if (is_new) {
      reasons.push_back({reason, 0});
    }
    InfeasibleReason& all = reasons[entry->second];
    ++all.designs;
    if (reason.constraint_violation < all.reason.constraint_violation) {
      all.reason = reason;
    }
  }
  std::ranges::stable_sort(reasons, std::ranges::greater{}, &InfeasibleReason::designs);
  return reasons;
}

std::string to_text(const Infeasible& reason) {
  return fmt::format(
      "{}: {}", reason.lack == Lack::kReadableDesign ? "invalid" : reason.limit(), reason.detail);
}

std::size_t not_tried(const Request& request, const Exploration& found) {
  const std::size_t known = found.trials.size() + found.pruned;
  const std::size_t most = max_trials(request);
  return found.stopped && most > known ? most - known : 0;
}

std::string not_tried_text(const Request& request, const Exploration& found) {
  if (!found.stopped) {
    return "";
  }
  return fmt::format("{}{} not tried",
                     request.method == Method::kExhaustive ? "" : "at most ",
                     not_tried(request, found));
}

std::optional<double> per_second(const Exploration& found, std::chrono::duration<double> took) {
  return took.count() > 0.0
             ? std::optional(static_cast<double>(found.trials.size() - found.stored) / took.count())
             : std::nullopt;
}

}  // namespace cairn::explore
