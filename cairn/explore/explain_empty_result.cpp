#include "cairn/explore/explain_empty_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cairn/base/count_text.hpp"
#include "cairn/base/many.hpp"
#include "cairn/explore/summary.hpp"
#include "cairn/report/table.hpp"

namespace cairn::explore {

namespace {

// True if all designs of the space were considered.
bool is_all(const Request& request, const Exploration& found) {
  return request.method == Method::kExhaustive && !found.stopped;
}

// "none of the 146 designs tried is feasible (34 not tried)"
std::string none(const Request& request, const Exploration& found, const char* does) {
  const std::string rest = not_tried_text(request, found);
  return fmt::format("none of the {} tried {}{}",
                     count_text(found.trials.size(), "design", "designs"),
                     does,
                     rest.empty() ? "" : " (" + rest + ")");
}

// An infeasible search, located at `where`.
Infeasible found_nothing(const Where& where, std::string why) {
  return {.lack = Lack::kDesignOfSearch, .detail = std::move(why), .part = to_text(where)};
}

// The first objective or limit whose metric is unknown for feasible designs.
Infeasible unknown_of(const Finding& finding, const Request& request, const Exploration& found) {
  const std::string problem =
      none(request, found, "has a known value") + " (not given by the device)";
  const auto is_unknown = [&](const Metric* metric) { return std::isinf(finding.figure(*metric)); };
  for (std::size_t i = 0; i < request.objectives.size(); ++i) {
    if (is_unknown(request.objectives[i])) {
      const Config* written = request.written.find("objectives");
      return found_nothing(
          written == nullptr ? Where{"", 0, "objectives"} : written->items[i].where,
          fmt::format("{}: {}", request.objectives[i]->name, problem));
    }
  }
  const auto limit = std::ranges::find_if(request.limits, is_unknown, &Limit::metric);
  return found_nothing(limit == request.limits.end() ? Where{"", 0, "limits"} : limit->where,
                       problem);
}

// "12.5 % above 1 GB"; large violations as a factor.
std::string missed_text(const Limit& limit, double constraint_violation) {
  constexpr double kInTimes = 9.0;
  const std::string maximum = to_text(*limit.metric, limit.maximum);
  return constraint_violation < kInTimes
             ? fmt::format("{:.1f} % above {}", 100.0 * constraint_violation, maximum)
             : fmt::format("{} times the limit of {}", many(1.0 + constraint_violation), maximum);
}

// If no design is valid.
Infeasible why_none_is_valid(const Request& request, const Exploration& found) {
  const Where& where = request.written.find("vary")->where;
  const std::string& first = found.trials.front().finding.reason.detail;
  const std::string problem =
      fmt::format("{}; the first: {}", none(request, found, "is valid"), first);
  // Other designs may be valid, unless these are all, or all have the same error.
  const bool is_mistake =
      is_all(request, found) || std::ranges::all_of(found.trials, [&](const DesignTrial& trial) {
        return trial.finding.reason.detail == first;
      });
  if (is_mistake) {
    throw ConfigError(where, problem);
  }
  return found_nothing(where, problem);
}

// "strategy.batch=1024, memory.offload=none", truncated to one line.
std::string settings_text(const DesignTrial& trial, const Request& request) {
  constexpr std::size_t kWidest = 80;
  const std::vector<std::string> settings = request.designs.settings(trial.point);
  return report::cut_text(fmt::format("{}", fmt::join(settings, ", ")), kWidest);
}

// "; 70 others: strategy: 8 heads < 16 shards", the most frequent other reasons.
std::string other_reasons_text(const Infeasible& said, const Exploration& found) {
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [reason, designs] : infeasible_reasons(found)) {
    if (shown < kShown && (reason.limit() != said.limit() || reason.detail != said.detail)) {
      text += fmt::format("; {}: {}", count_text(designs, "other", "others"), to_text(reason));
      ++shown;
    }
  }
  return text;
}

// If some are valid, but none is feasible.
Infeasible why_none_is_feasible(const Request& request, const Exploration& found) {
  const auto distance = [](const DesignTrial& trial) {
    const Infeasible& reason = trial.finding.reason;
    return std::pair(reason.constraint_violation, reason.lack == Lack::kReadableDesign);
  };
  const DesignTrial& nearest = *std::ranges::min_element(found.trials, {}, distance);
  const Infeasible& reason = nearest.finding.reason;
  return found_nothing(
      request.written.find("vary")->where,
      fmt::format("{}; {} ({}): {}{}",
                  none(request, found, "is feasible"),
                  std::isfinite(reason.constraint_violation) ? "the nearest" : "the first",
                  settings_text(nearest, request),
                  to_text(reason),
                  other_reasons_text(reason, found)));
}

// If some are feasible, but none satisfies all limits: the limit that `nearest` violates most.
Infeasible why_none_satisfies_limits(const DesignTrial& nearest,
                                     const Request& request,
                                     const Exploration& found) {
  const auto figure = [&](const Limit& limit) { return nearest.finding.figure(*limit.metric); };
  const auto part = [&](const Limit& limit) { return figure(limit) / limit.maximum; };
  const auto worst = std::ranges::max_element(request.limits, {}, part);
  return found_nothing(worst->where,
                       fmt::format("{}; the nearest ({}) has {}, {}",
                                   none(request, found, "satisfies all limits"),
                                   settings_text(nearest, request),
                                   to_text(*worst->metric, figure(*worst)),
                                   missed_text(*worst, part(*worst) - 1.0)));
}

}  // namespace

Infeasible explain_empty_result(const Request& request, const Exploration& found) {
  if (found.trials.empty()) {
    return {.lack = Lack::kDesignOfSearch,
            .detail = "no design was evaluated (" + not_tried_text(request, found) + ")",
            .part = "stopped"};
  }
  const DesignTrial* nearest = nullptr;  // of the designs with figures
  double least = std::numeric_limits<double>::infinity();
  bool all_unread = true;
  for (const DesignTrial& trial : found.trials) {
    const Finding& finding = trial.finding;
    all_unread = all_unread && finding.reason.lack == Lack::kReadableDesign;
    if (finding.figures.empty()) {
      continue;
    }
    const double missed = outcome_of(finding, request).constraint_violation;
    if (nearest == nullptr || missed < least) {
      nearest = &trial;
      least = missed;
    }
  }
  if (nearest != nullptr) {
    return std::isfinite(least) ? why_none_satisfies_limits(*nearest, request, found)
                                : unknown_of(nearest->finding, request, found);
  }
  return all_unread ? why_none_is_valid(request, found) : why_none_is_feasible(request, found);
}

}  // namespace cairn::explore
